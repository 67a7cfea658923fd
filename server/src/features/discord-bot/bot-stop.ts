// Stops the bot when Discord refuses its token, so that refused calls do not pile up: ten thousand
// of them in ten minutes shut a whole address out.

import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import { putBotStop, readBotStop } from './settings-tables.ts'

const markKind = 'discord_bot_token'

/** Why the bot stands still; undefined while it may run. Another token makes it run again. */
export async function botProblem(
  deps: Pick<Deps, 'config' | 'encryption'> & { readonly db: Queryable },
): Promise<string | undefined> {
  const token = deps.config.discord.botToken
  if (token === undefined) return undefined
  const stop = await readBotStop(deps.db)
  if (stop === undefined) return undefined
  const isThisToken = deps.encryption.fingerprints(markKind, token).includes(stop.tokenMark)
  return isThisToken ? stop.problem : undefined
}

/** Keeps the bot from calling Discord until the token is another one or staff save the settings. */
export async function stopBot(deps: Deps): Promise<void> {
  const token = deps.config.discord.botToken ?? ''
  const problem =
    'Discord does not accept the bot token. Set a new DISCORD_BOT_TOKEN and restart, ' +
    'or save these settings to try again.'
  const tokenMark = deps.encryption.fingerprint(markKind, token)
  await putBotStop(deps.db, { problem, tokenMark }, deps.clock.now())
  deps.log.error('Discord does not accept the bot token: the bot has stopped')
}
