// The SQL of the demo's own: how far its story is told, and whom and what it is about.

import { type Queryable, statement } from '../adapters/db/database.ts'
import { oneValueQuery, valueQuery, writeQuery } from '../adapters/db/queries.ts'

/** How far the story is told; there is no such mark before its beginning and after its end. */
export interface StoryMark {
  /** ISO text of the moment in which the story ends. */
  readonly until: string
  readonly days: number
  readonly told: number
  /** Hash of the whole plan: another program may have another story to tell. */
  readonly planHash: string
}

/** True for a database that nobody has used: one with neither pack types nor users. */
export const isUnused = oneValueQuery<{ empty: boolean }>(
  'is_database_empty',
  'SELECT NOT EXISTS (SELECT FROM pack_types) AND NOT EXISTS (SELECT FROM users) AS empty',
)
const putMark = statement(
  'put_demo_story',
  `INSERT INTO app_settings (key, value) VALUES ('demo_story', $1::jsonb)
   ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value`,
)

export const readStoryMark = valueQuery<{ value: StoryMark }>(
  'read_demo_story',
  `SELECT value FROM app_settings WHERE key = 'demo_story'`,
)

export async function putStoryMark(tx: Queryable, mark: StoryMark): Promise<void> {
  await tx.run(putMark, [JSON.stringify(mark)])
}

export const dropStoryMark = writeQuery(
  'drop_demo_story',
  `DELETE FROM app_settings WHERE key = 'demo_story'`,
)

/** The reward message that was posted last. */
export const latestMessage = valueQuery<{ messageId: string }>(
  'newest_demo_message',
  `SELECT message_id AS "messageId" FROM discord_messages
   WHERE message_id IS NOT NULL ORDER BY id DESC LIMIT 1
   -- not null: messageId (the condition asks for it)`,
)

/** Winners take their news by email, which fills a sandbox's mailbox; no real server gets any. */
export const proveAddresses = writeQuery(
  'prove_demo_addresses',
  `INSERT INTO notification_settings (user_id, address)
   SELECT DISTINCT user_id, 'viewer-' || user_id || '@mail.example' FROM prize_claims
   WHERE deleted_at IS NULL ON CONFLICT DO NOTHING`,
)

export const userWithTwitchId = valueQuery<{ id: number }, [twitchId: string]>(
  'demo_user_by_twitch',
  'SELECT id FROM users WHERE twitch_id = $1',
)

export const streamOfChannel = valueQuery<{ id: number }, [channelId: string]>(
  'demo_stream_by_channel',
  'SELECT id FROM twitch_streams WHERE twitch_channel_id = $1 AND archived_at IS NULL',
)

export const listingOfPack = valueQuery<{ id: number }, [packTypeId: number]>(
  'demo_listing_by_pack',
  'SELECT id FROM store_pack_listings WHERE pack_type_id = $1 AND archived_at IS NULL',
)

export const prizeNamed = valueQuery<{ id: number }, [name: string]>(
  'demo_prize_by_name',
  'SELECT id FROM prizes WHERE name = $1 AND archived_at IS NULL',
)

/** The batch that was applied from a file of this name. */
export const batchOfFile = valueQuery<{ id: string }, [fileName: string]>(
  'demo_batch_by_file',
  'SELECT id FROM bulk_batches WHERE file_name = $1',
)
