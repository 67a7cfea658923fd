// Stops the bot when Discord refuses its token, so that refused calls do not pile up: ten thousand
// of them in ten minutes shut a whole address out.

import type { World } from '../../adapters/world.ts'
import { putBotStop, readBotStop } from './settings-tables.ts'

const markKind = 'discord_bot_token'

/** Why the bot stands still; undefined while it may run. Another token makes it run again. */
export async function botProblem(world: World): Promise<string | undefined> {
  const token = world.config.discord.botToken
  if (token === undefined) return undefined
  const stop = await readBotStop(world.db)
  if (stop === undefined) return undefined
  const isThisToken = world.encryption.fingerprints(markKind, token).includes(stop.tokenMark)
  return isThisToken ? stop.problem : undefined
}

/** Keeps the bot from calling Discord until the token is another one or staff save the settings. */
export async function stopBot(world: World): Promise<void> {
  const token = world.config.discord.botToken ?? ''
  const problem =
    'Discord does not accept the bot token. Set a new DISCORD_BOT_TOKEN and restart, ' +
    'or save these settings to try again.'
  const tokenMark = world.encryption.fingerprint(markKind, token)
  await putBotStop(world.db, { problem, tokenMark }, world.clock.now())
  world.log.error('Discord does not accept the bot token: the bot has stopped')
}
