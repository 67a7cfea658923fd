// The SQL of what is over: messages whose button is to be taken back, and old rows.

import { type Queryable, statement } from '../../adapters/db/database.ts'

export interface ExpiredMessage {
  readonly id: number
  readonly messageId: string
  readonly channelId: string
  readonly rewardAmount: number
  readonly closeTries: number
  /** Null for a message that no post of ours is known for. */
  readonly nonce: string | null
}

// Taking one puts its next try off in the same statement, so that two processes never edit twice.
const takeExpired = statement(
  'take_expired_message',
  `UPDATE discord_messages m SET close_tries = close_tries + 1, close_after = $2
   WHERE m.id = (
     SELECT id FROM discord_messages
     WHERE closed_at IS NULL AND expires_at <= $1 AND (close_after IS NULL OR close_after <= $1)
     ORDER BY expires_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING m.id, m.message_id AS "messageId", m.channel_id AS "channelId",
     m.reward_amount AS "rewardAmount", m.close_tries AS "closeTries",
     (SELECT nonce FROM discord_posts p WHERE p.message_id = m.message_id) AS nonce`,
)
const closeRow = statement(
  'close_discord_message',
  'UPDATE discord_messages SET closed_at = $2 WHERE id = $1',
)
const addInteraction = statement(
  'add_discord_interaction',
  `INSERT INTO discord_interactions (interaction_id, received_at) VALUES ($1, $2)
   ON CONFLICT DO NOTHING RETURNING interaction_id`,
)
const dropInteractions = statement(
  'drop_discord_interactions',
  'DELETE FROM discord_interactions WHERE received_at < $1',
)

/** Takes one message whose time is over and whose button still stands. */
export async function takeExpiredMessage(
  db: Queryable,
  now: Date,
  nextTryAt: Date,
): Promise<ExpiredMessage | undefined> {
  return (await db.run<ExpiredMessage>(takeExpired, [now, nextTryAt]))[0]
}

export async function markMessageClosed(db: Queryable, id: number, now: Date): Promise<void> {
  await db.run(closeRow, [id, now])
}

/** Remembers an interaction; false when it has arrived before. */
export async function rememberInteraction(
  db: Queryable,
  interactionId: string,
  now: Date,
): Promise<boolean> {
  return (await db.run(addInteraction, [interactionId, now])).length > 0
}

/** Forgets interactions that are too old to be accepted again. */
export async function forgetInteractions(db: Queryable, before: Date): Promise<void> {
  await db.run(dropInteractions, [before])
}
