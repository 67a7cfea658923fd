// The SQL of the demo's own: how far its story is told, and whom and what it is about.

import { type Queryable, statement } from '../adapters/db/database.ts'

/** How far the story is told; there is no such mark before its beginning and after its end. */
export interface StoryMark {
  /** ISO text of the moment in which the story ends. */
  readonly until: string
  readonly days: number
  /** Chapters that are told. */
  readonly told: number
  /** Hash of the whole plan: another program may have another story to tell. */
  readonly planHash: string
}

const isEmpty = statement(
  'is_database_empty',
  'SELECT NOT EXISTS (SELECT FROM pack_types) AND NOT EXISTS (SELECT FROM users) AS empty',
)
const readMark = statement(
  'read_demo_story',
  `SELECT value FROM app_settings WHERE key = 'demo_story'`,
)
const putMark = statement(
  'put_demo_story',
  `INSERT INTO app_settings (key, value) VALUES ('demo_story', $1::jsonb)
   ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value`,
)
const dropMark = statement('drop_demo_story', `DELETE FROM app_settings WHERE key = 'demo_story'`)
const userByTwitch = statement('demo_user_by_twitch', 'SELECT id FROM users WHERE twitch_id = $1')
const streamByChannel = statement(
  'demo_stream_by_channel',
  'SELECT id FROM twitch_streams WHERE twitch_channel_id = $1 AND archived_at IS NULL',
)
const listingByPack = statement(
  'demo_listing_by_pack',
  'SELECT id FROM store_pack_listings WHERE pack_type_id = $1 AND archived_at IS NULL',
)
const prizeByName = statement(
  'demo_prize_by_name',
  'SELECT id FROM prizes WHERE name = $1 AND archived_at IS NULL',
)
const batchByFile = statement(
  'demo_batch_by_file',
  'SELECT id FROM bulk_batches WHERE file_name = $1',
)
const newestMessage = statement(
  'newest_demo_message',
  `SELECT message_id AS "messageId" FROM discord_messages ORDER BY id DESC LIMIT 1`,
)

/** True for a database that nobody has used: one with neither pack types nor users. */
export async function isUnused(tx: Queryable): Promise<boolean> {
  const [state] = await tx.run<{ empty: boolean }>(isEmpty, [])
  return state?.empty === true
}

export async function readStoryMark(tx: Queryable): Promise<StoryMark | undefined> {
  return (await tx.run<{ value: StoryMark }>(readMark, []))[0]?.value
}

export async function putStoryMark(tx: Queryable, mark: StoryMark): Promise<void> {
  await tx.run(putMark, [JSON.stringify(mark)])
}

export async function dropStoryMark(tx: Queryable): Promise<void> {
  await tx.run(dropMark, [])
}

/** The reward message that was posted last. */
export async function latestMessage(db: Queryable): Promise<string | undefined> {
  return (await db.run<{ messageId: string }>(newestMessage, []))[0]?.messageId
}

type Found = Promise<number | undefined>

export async function userWithTwitchId(db: Queryable, twitchId: string): Found {
  return (await db.run<{ id: number }>(userByTwitch, [twitchId]))[0]?.id
}

export async function streamOfChannel(db: Queryable, channelId: string): Found {
  return (await db.run<{ id: number }>(streamByChannel, [channelId]))[0]?.id
}

export async function listingOfPack(db: Queryable, packTypeId: number): Found {
  return (await db.run<{ id: number }>(listingByPack, [packTypeId]))[0]?.id
}

export async function prizeNamed(db: Queryable, name: string): Found {
  return (await db.run<{ id: number }>(prizeByName, [name]))[0]?.id
}

/** The batch that was applied from a file of this name. */
export async function batchOfFile(db: Queryable, fileName: string): Promise<string | undefined> {
  return (await db.run<{ id: string }>(batchByFile, [fileName]))[0]?.id
}
