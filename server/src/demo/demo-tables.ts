// The SQL of the demo's own: whether there is one to be told, and whom and what it is about.

import { oneValueQuery, valueQuery, writeQuery } from '../adapters/db/queries.ts'

/** True for a database that nobody has used: one with neither pack types nor users. */
export const isUnused = oneValueQuery<{ empty: boolean }>(
  'is_database_empty',
  'SELECT NOT EXISTS (SELECT FROM pack_types) AND NOT EXISTS (SELECT FROM users) AS empty',
)
export const waitPatiently = writeQuery('seed_lock_patience', "SET LOCAL lock_timeout = '180s'")
export const waitForSeedLock = writeQuery('take_seed_lock', 'SELECT pg_advisory_xact_lock(7330111)')

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
