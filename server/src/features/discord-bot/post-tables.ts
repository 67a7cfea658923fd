// The SQL of posts: planned, leased by one process, posted, adopted after a crash, and closed.

import { type Queryable, statement } from '../../adapters/db/database.ts'

export interface PostRow {
  readonly id: number
  readonly serverId: string
  readonly channelId: string
  readonly nonce: string
  readonly rewardAmount: number
  readonly isTest: boolean
  readonly expiresAt: Date
  readonly state: 'waiting' | 'posted' | 'failed'
  /** How often posting has begun, the present time included. */
  readonly attempts: number
  readonly messageId: string | null
}

const columns = `id, server_id AS "serverId", channel_id AS "channelId", nonce,
  reward_amount AS "rewardAmount", is_test AS "isTest", expires_at AS "expiresAt", state, attempts,
  message_id AS "messageId"`

const channelsWithout = statement(
  'channels_without_post',
  `SELECT DISTINCT ON (s.channel_id) s.server_id AS "serverId", s.channel_id AS "channelId"
   FROM discord_servers s
   WHERE s.is_active AND s.added_at <= $2 AND NOT EXISTS (
     SELECT FROM discord_posts p WHERE p.slot = $1 AND p.channel_id = s.channel_id)
   ORDER BY s.channel_id, s.id LIMIT 500`,
)
const addPost = statement(
  'add_discord_post',
  `INSERT INTO discord_posts (slot, server_id, channel_id, nonce, reward_amount, is_test,
     expires_at, next_try_at, created_at)
   VALUES (:slot, :serverId, :channelId, :nonce, :rewardAmount, :isTest, :expiresAt,
     :now, :now) ON CONFLICT DO NOTHING`,
)
const takeWaiting = statement(
  'take_discord_post',
  `UPDATE discord_posts SET attempts = attempts + 1, leased_until = $2
   WHERE id = (
     SELECT id FROM discord_posts
     WHERE state = 'waiting' AND next_try_at <= $1 AND expires_at > $1
       AND (leased_until IS NULL OR leased_until <= $1)
     ORDER BY next_try_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING ${columns}`,
)
const takeOne = statement(
  'take_one_discord_post',
  `UPDATE discord_posts SET attempts = attempts + 1, leased_until = $2
   WHERE nonce = $1 AND state = 'waiting' RETURNING ${columns}`,
)
const failOverdue = statement(
  'fail_overdue_discord_posts',
  `UPDATE discord_posts SET state = 'failed', leased_until = NULL,
     problem = coalesce(problem, 'Its time was over before it could be posted')
   WHERE state = 'waiting' AND expires_at <= $1
     AND (leased_until IS NULL OR leased_until <= $1)`,
)
const failPostRow = statement(
  'fail_discord_post',
  `UPDATE discord_posts SET state = 'failed', leased_until = NULL, problem = $2
   WHERE id = $1 AND state = 'waiting'`,
)
const putOffRow = statement(
  'put_off_discord_post',
  `UPDATE discord_posts SET leased_until = NULL, next_try_at = $2, problem = $3
   WHERE id = $1 AND state = 'waiting'`,
)
const markPosted = statement(
  'mark_discord_post',
  `UPDATE discord_posts SET state = 'posted', message_id = $2, leased_until = NULL, problem = NULL
   WHERE id = $1 AND state = 'waiting' RETURNING id`,
)
const addMessage = statement(
  'add_discord_message',
  `INSERT INTO discord_messages (message_id, channel_id, server_id, posted_at, expires_at,
     reward_amount)
   VALUES ($1, $2, $3, $4, $5, $6)`,
)
const findByNonce = statement(
  'find_discord_post',
  `SELECT ${columns} FROM discord_posts WHERE nonce = $1`,
)

/** Active channels, added before the slot, that have no post of it yet. */
export async function channelsWithoutPost(
  db: Queryable,
  slot: Date,
): Promise<{ serverId: string; channelId: string }[]> {
  return db.run(channelsWithout, [slot.toISOString(), slot])
}

export interface NewPost {
  readonly slot: string
  readonly serverId: string
  readonly channelId: string
  readonly nonce: string
  readonly rewardAmount: number
  readonly isTest: boolean
  readonly expiresAt: Date
}

/** Plans a post; one that another process has planned for the slot and channel stays. */
export async function planPost(db: Queryable, post: NewPost, now: Date): Promise<void> {
  const { slot, serverId, channelId, nonce, rewardAmount, isTest, expiresAt } = post
  const place = { slot, serverId, channelId }
  await db.run(addPost, { ...place, nonce, rewardAmount, isTest, expiresAt, now })
}

/** Leases a post that is due; no other process gets it before the lease has ended. */
export async function takeWaitingPost(
  db: Queryable,
  now: Date,
  leasedUntil: Date,
): Promise<PostRow | undefined> {
  return (await db.run<PostRow>(takeWaiting, [now, leasedUntil]))[0]
}

/** Leases the post of this nonce. */
export async function takePost(
  db: Queryable,
  nonce: string,
  leasedUntil: Date,
): Promise<PostRow | undefined> {
  return (await db.run<PostRow>(takeOne, [nonce, leasedUntil]))[0]
}

export async function failOverduePosts(db: Queryable, now: Date): Promise<void> {
  await db.run(failOverdue, [now])
}

export async function failPost(db: Queryable, id: number, problem: string): Promise<void> {
  await db.run(failPostRow, [id, problem])
}

export async function putOffPost(
  db: Queryable,
  id: number,
  nextTryAt: Date,
  problem: string,
): Promise<void> {
  await db.run(putOffRow, [id, nextTryAt, problem])
}

/** Makes a post's message claimable; false when the post has its message already. */
export async function recordPostedMessage(
  tx: Queryable,
  post: PostRow,
  messageId: string,
  now: Date,
): Promise<boolean> {
  if ((await tx.run(markPosted, [post.id, messageId])).length === 0) return false
  const { channelId, serverId, expiresAt, rewardAmount } = post
  await tx.run(addMessage, [messageId, channelId, serverId, now, expiresAt, rewardAmount])
  return true
}

export async function findPost(db: Queryable, nonce: string): Promise<PostRow | undefined> {
  return (await db.run<PostRow>(findByNonce, [nonce]))[0]
}
