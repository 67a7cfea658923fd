// The mark that keeps the Discord bot still once its token was refused, with posts as with messages
// to people: Discord shuts out addresses that go on with such a token.

import type { Queryable } from '../../adapters/db/database.ts'
import { valueQuery, writeQuery } from '../../adapters/db/queries.ts'

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

const readBotStop = valueQuery<{ value: BotStop }>(
  'read_bot_stop',
  `SELECT value FROM app_settings WHERE key = 'discord_bot_stop'`,
)
const putBotStop = writeQuery<[stop: BotStop, now: Date]>(
  'put_bot_stop',
  `INSERT INTO app_settings (key, value, created_at, updated_at)
   VALUES ('discord_bot_stop', $1::jsonb, $2, $2)
   ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value, updated_at = EXCLUDED.updated_at`,
)

/** Lets a bot run again that was stopped. */
export const clearBotStop = writeQuery(
  'clear_bot_stop',
  `DELETE FROM app_settings WHERE key = 'discord_bot_stop'`,
)

/** The mark of now first, then those of earlier keys. */
const marksOf = ({ config, encryption }: Bot) =>
  encryption.fingerprints('discord_bot_token', config.discord.botToken ?? '')

/** Why the bot stands still; undefined while it may run. */
export async function botProblem(bot: Bot): Promise<string | undefined> {
  if (bot.config.discord.botToken === undefined) return undefined
  const stop = await readBotStop(bot.db)
  return marksOf(bot).includes(stop?.tokenMark ?? '') ? stop?.problem : undefined
}

/** Keeps the bot from calling Discord until the token is another one or staff save the settings. */
export async function stopBot(
  bot: Bot & { clock: { now(): Date }; log: { error(text: string): void } },
): Promise<void> {
  const problem =
    'Discord does not accept the bot token. Set a new DISCORD_BOT_TOKEN and restart, ' +
    'or save these settings to try again.'
  await putBotStop(bot.db, { problem, tokenMark: marksOf(bot)[0] }, bot.clock.now())
  bot.log.error('Discord does not accept the bot token: the bot has stopped')
}
