// The mark that keeps the Discord bot still once its token was refused, with posts as with messages
// to people: Discord shuts out addresses that go on with such a token.

import { readSetting, removeSetting, writeSetting } from '../../adapters/db/app-settings.ts'
import type { Queryable } from '../../adapters/db/database.ts'

/** What knows the token and how it is marked. */
interface Bot {
  readonly db: Queryable
  readonly config: { readonly discord: { readonly botToken?: string | undefined } }
  readonly encryption: { fingerprints(kind: string, value: string): readonly string[] }
}

/** Why the bot has stopped, and for which token: another one starts it again. */
interface BotStop {
  readonly problem: string
  readonly tokenMark: string | undefined
}

const key = 'discord_bot_stop'

/** Lets a bot run again that was stopped. */
export const clearBotStop = (db: Queryable): Promise<void> => removeSetting(db, key)

/** The mark of now first, then those of earlier keys. */
const marksOf = ({ config, encryption }: Bot) =>
  encryption.fingerprints('discord_bot_token', config.discord.botToken ?? '')

/** Why the bot stands still; undefined while it may run. */
export async function botProblem(bot: Bot): Promise<string | undefined> {
  const stop = (await readSetting(bot.db, key)) as BotStop | undefined
  if (stop === undefined) return undefined
  return marksOf(bot).some((mark) => mark === stop.tokenMark) ? stop.problem : undefined
}

/** Keeps the bot from calling Discord until the token is another one or staff save the settings. */
export async function stopBot(
  bot: Bot & { clock: { now(): Date }; log: { error(text: string): void } },
): Promise<void> {
  const problem =
    'Discord does not accept the bot token. Set a new DISCORD_BOT_TOKEN and restart, ' +
    'or save these settings to try again.'
  const stop: BotStop = { problem, tokenMark: marksOf(bot)[0] }
  await writeSetting(bot.db, key, JSON.stringify(stop), bot.clock.now())
  bot.log.error('Discord does not accept the bot token: the bot has stopped')
}
