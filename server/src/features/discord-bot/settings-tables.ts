// The SQL of the bot's settings and of the mark that stops it.

import { type Queryable, statement } from '../../adapters/db/database.ts'

export interface SettingsRow {
  readonly rewardAmount: number
  readonly isActive: boolean
  /** Hours as they were sent. */
  readonly postSchedule: readonly number[]
  /** Slots before this moment are not caught up; null when there is no such moment. */
  readonly scheduledFrom: Date | null
}

const columns = `reward_amount AS "rewardAmount", is_active AS "isActive",
  post_schedule AS "postSchedule", scheduled_from AS "scheduledFrom"`

const readRow = statement(
  'read_bot_settings',
  `SELECT ${columns} FROM discord_bot_settings ORDER BY id LIMIT 1`,
)
// The row is made first: two first saves at once then wait for each other like any other two.
const makeRow = statement(
  'make_bot_settings',
  `INSERT INTO discord_bot_settings (id) SELECT 1
   WHERE NOT EXISTS (SELECT FROM discord_bot_settings) ON CONFLICT DO NOTHING RETURNING id`,
)
const lockRow = statement(
  'lock_bot_settings',
  `SELECT ${columns} FROM discord_bot_settings ORDER BY id LIMIT 1 FOR UPDATE`,
)
const writeRow = statement(
  'write_bot_settings',
  `UPDATE discord_bot_settings SET reward_amount = $1, is_active = $2, post_schedule = $3::jsonb,
     scheduled_from = $4
   WHERE id = (SELECT min(id) FROM discord_bot_settings)`,
)
const keepPostTime = statement(
  'keep_bot_post_time',
  `UPDATE discord_bot_settings
   SET last_post_times = last_post_times || jsonb_build_object($1::text, $2::text)`,
)

/** Undefined while nothing is saved. */
export async function readSettings(db: Queryable): Promise<SettingsRow | undefined> {
  return (await db.run<SettingsRow>(readRow, []))[0]
}

/** Locks the settings; they are made with the database's defaults when nothing is saved. */
export async function lockSettings(
  tx: Queryable,
): Promise<{ row: SettingsRow | undefined; isNew: boolean }> {
  const isNew = (await tx.run(makeRow, [])).length > 0
  return { row: (await tx.run<SettingsRow>(lockRow, []))[0], isNew }
}

export async function writeSettings(tx: Queryable, row: SettingsRow): Promise<void> {
  const { rewardAmount, isActive, postSchedule, scheduledFrom } = row
  await tx.run(writeRow, [rewardAmount, isActive, JSON.stringify(postSchedule), scheduledFrom])
}

/** Keeps when a channel was last posted to; there is nothing to keep it in before a first save. */
export async function keepLastPostTime(tx: Queryable, channelId: string, at: Date): Promise<void> {
  await tx.run(keepPostTime, [channelId, at.toISOString()])
}

/** Why the bot has stopped, and for which token: another one starts it again. */
export interface BotStop {
  readonly problem: string
  readonly tokenMark: string
}

const readStopRow = statement(
  'read_bot_stop',
  `SELECT value FROM app_settings WHERE key = 'discord_bot_stop'`,
)
const putStop = statement(
  'put_bot_stop',
  `INSERT INTO app_settings (key, value, created_at, updated_at)
   VALUES ('discord_bot_stop', $1::jsonb, $2, $2)
   ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value, updated_at = EXCLUDED.updated_at`,
)
const clearStop = statement(
  'clear_bot_stop',
  `DELETE FROM app_settings WHERE key = 'discord_bot_stop'`,
)

export async function readBotStop(db: Queryable): Promise<BotStop | undefined> {
  return (await db.run<{ value: BotStop }>(readStopRow, []))[0]?.value
}

export async function putBotStop(db: Queryable, stop: BotStop, now: Date): Promise<void> {
  await db.run(putStop, [JSON.stringify(stop), now])
}

export async function clearBotStop(db: Queryable): Promise<void> {
  await db.run(clearStop, [])
}
