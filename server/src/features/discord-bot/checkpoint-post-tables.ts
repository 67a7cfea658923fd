// The SQL of the log's daily checkpoint in Discord: one row a day, written before Discord is
// called.

import { type Queryable, statement } from '../../adapters/db/database.ts'

const addPost = statement(
  'add_log_post',
  `INSERT INTO log_posts (day, channel_id, nonce, content, next_try_at, created_at)
   VALUES ($1::date, $2, $3, $4, $5, $5) ON CONFLICT DO NOTHING`,
)
const takePost = statement(
  'take_log_post',
  `UPDATE log_posts SET attempts = attempts + 1
   WHERE day = $1::date AND message_id IS NULL AND next_try_at <= $2
   RETURNING channel_id AS "channelId", nonce, content, attempts`,
)
const findPost = statement('find_log_post', 'SELECT day FROM log_posts WHERE day = $1::date')
const markPosted = statement(
  'mark_log_post',
  'UPDATE log_posts SET message_id = $2, problem = NULL WHERE day = $1::date',
)
const putOff = statement(
  'put_off_log_post',
  'UPDATE log_posts SET next_try_at = $2, problem = $3 WHERE day = $1::date',
)

export interface CheckpointPost {
  readonly channelId: string
  readonly nonce: string
  readonly content: string
  /** How often posting has begun, the present time included. */
  readonly attempts: number
}

export async function isCheckpointPlanned(db: Queryable, day: string): Promise<boolean> {
  return (await db.run(findPost, [day])).length > 0
}

/** Plans the post of a day (as `2026-11-21`); one that is planned stays as it is. */
export async function planCheckpointPost(
  db: Queryable,
  day: string,
  post: Omit<CheckpointPost, 'attempts'>,
  now: Date,
): Promise<void> {
  await db.run(addPost, [day, post.channelId, post.nonce, post.content, now])
}

/** The post of the day when it is due and not done. */
export async function takeCheckpointPost(
  db: Queryable,
  day: string,
  now: Date,
): Promise<CheckpointPost | undefined> {
  return (await db.run<CheckpointPost>(takePost, [day, now]))[0]
}

export async function markCheckpointPosted(
  db: Queryable,
  day: string,
  messageId: string,
): Promise<void> {
  await db.run(markPosted, [day, messageId])
}

export async function putOffCheckpointPost(
  db: Queryable,
  day: string,
  nextTryAt: Date,
  problem: string,
): Promise<void> {
  await db.run(putOff, [day, nextTryAt, problem])
}
