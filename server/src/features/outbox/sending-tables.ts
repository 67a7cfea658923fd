// The SQL of sending: what is due, its lease, and how a try ended.

import type { OutboxChannel, OutboxKind } from '@redpack/contract/notification-kinds'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import {
  countQuery,
  existsQuery,
  rowQuery,
  rowsQuery,
  valueQuery,
  writeQuery,
} from '../../adapters/db/queries.ts'

export interface DueMessage {
  readonly id: number
  readonly channel: OutboxChannel
  /** The user or the place that it is for, as text. */
  readonly lane: string
  readonly kind: OutboxKind
  readonly event: string
  /** How often sending has begun before. */
  readonly attempts: number
  readonly createdAt: Date
}

/**
 * What becomes of a message whose turn has come: nobody wants it any more, it waits until then, or
 * it goes out by what is handed back. That one runs after the transaction and throws a
 * DeliveryFault where the far side has not taken the message, or its answer never came.
 */
export type Decision = 'drop' | Date | (() => Promise<void>)

/** How long to wait after the first try, and at most. */
export interface Backoff {
  readonly firstMillis: number
  readonly mostMillis: number
}

/** One way out of the product: what is its own, beside the one machine that sends. */
export interface Carrier {
  /** True where a message that has to wait holds up those behind it. */
  readonly isInOrder?: boolean
  /** Waits after tries that failed; those of news where none are named. */
  readonly backoff?: Backoff
  /** Longer than any try, where that must be less than the usual time. */
  readonly leaseMillis?: number
  /** False while nothing could be sent: what waits is left as it is. */
  isOpen(): Promise<boolean>
  decide(tx: Queryable, message: DueMessage, now: Date): Promise<Decision>
}

const waits = `state = 'waiting' AND bundled_into IS NULL`
// What lies further ahead than any pause was noted by a clock that was ahead. Chats know pauses of
// seconds, news waits for a day of quiet hours at most; a post may be planned for any time.
const isFarAhead = `next_try_at > $1::timestamptz + CASE $2::text WHEN 'post' THEN NULL
  WHEN 'chat' THEN interval '10 minutes' ELSE interval '25 hours' END`
const isFree = `(leased_until IS NULL OR leased_until <= $1
  OR leased_until > $1::timestamptz + interval '10 minutes')`
const isDue = `${waits} AND (next_try_at <= $1 OR ${isFarAhead}) AND ${isFree}
  AND (expires_at IS NULL OR expires_at > $1)`
/** One look goes no further, so that it stays cheap however much waits. */
const lookedAtMax = 10_000

/** Lanes in which something is due, those that have waited longest first. */
export const findDueLanes = rowsQuery<
  { lane: string },
  [now: Date, channel: OutboxChannel, limit: number]
>(
  'find_due_outbox_lanes',
  `SELECT lane FROM (SELECT lane, next_try_at, id FROM outbox_messages
     WHERE channel = $2 AND ${isDue} ORDER BY next_try_at, id LIMIT ${lookedAtMax}) due
   GROUP BY lane ORDER BY min(next_try_at), min(id) LIMIT $3`,
)

// One process at a time decides about a lane, so that what is counted in it stays true.
const lockLane = statement(
  'lock_outbox_lane',
  `SELECT pg_advisory_xact_lock(hashtextextended('outbox ' || $1 || ' ' || $2, 0))`,
)
const readNext = statement(
  'read_next_of_outbox_lane',
  `SELECT id, channel, lane, kind, event, attempts, created_at AS "createdAt" FROM outbox_messages
   WHERE ${isDue} AND id = (SELECT id FROM outbox_messages
     WHERE channel = $2 AND lane = $3 AND CASE WHEN $4 THEN ${waits} ELSE ${isDue} END
     ORDER BY CASE WHEN NOT $4 THEN next_try_at END, id LIMIT 1)
   FOR UPDATE`,
)

/** Locks the lane and its next message; undefined when none is due by now. */
export async function lockNextOfLane(
  tx: Queryable,
  channel: OutboxChannel,
  lane: string,
  isInOrder: boolean,
  now: Date,
): Promise<DueMessage | undefined> {
  await tx.run(lockLane, [channel, lane])
  return (await tx.run<DueMessage>(readNext, [now, channel, lane, isInOrder]))[0]
}

// News that was due for a day, while its channel was shut or the product off, is none any more.
const over = (attempts: string) => `WITH over AS (SELECT id FROM outbox_messages
     WHERE channel = $1 AND ${waits} AND attempts ${attempts} AND (expires_at <= $2
         OR user_id IS NOT NULL AND next_try_at <= $2::timestamptz - interval '24 hours')
       AND (leased_until IS NULL OR leased_until <= $2))`
const ofOver = 'id IN (SELECT id FROM over) OR bundled_into IN (SELECT id FROM over)'
const dropExpired = statement(
  'drop_expired_messages',
  `${over('= 0')} DELETE FROM outbox_messages WHERE ${ofOver}`,
)
const failExpired = statement(
  'fail_expired_messages',
  `${over('> 0')} UPDATE outbox_messages SET state = 'failed', leased_until = NULL,
     problem = coalesce(problem || '. ', '') || 'Its time was over'
   WHERE ${ofOver}`,
)

/** What has no sense any more goes; what was tried stays, for staff to see. */
export async function endExpired(db: Queryable, channel: OutboxChannel, now: Date): Promise<void> {
  await db.run(dropExpired, [channel, now])
  await db.run(failExpired, [channel, now])
}

/** Nothing was tried: it is asked about again at `until`. */
export const putOffMessage = writeQuery<[id: number, until: Date]>(
  'put_off_outbox_message',
  'UPDATE outbox_messages SET next_try_at = $2 WHERE id = $1',
)

/** Takes a message back that nobody wants to hear any more, with those bundled into it. */
export const dropMessage = writeQuery<[id: number]>(
  'drop_outbox_message',
  'DELETE FROM outbox_messages WHERE id = $1 OR bundled_into = $1',
)

/** A try that has begun: its number fences off whoever comes back after the lease. */
export interface Try {
  readonly id: number
  readonly attempts: number
  readonly firstTriedAt: Date
}

/** Writes down that a try begins, before it does; nobody else begins one before `leasedUntil`. */
export const beginTry = rowQuery<Try, [id: number, now: Date, leasedUntil: Date]>(
  'lease_outbox_message',
  `UPDATE outbox_messages SET attempts = attempts + 1, leased_until = $3,
     first_tried_at = coalesce(first_tried_at, $2)
   WHERE id = $1 RETURNING id, attempts, first_tried_at AS "firstTriedAt"
   -- not null: firstTriedAt (set here)`,
)

/** How a try ended; without effect when another one has begun since. */
export const finishTry = writeQuery<
  [
    end: Pick<Try, 'id' | 'attempts'> & {
      readonly state: 'sent' | 'waiting' | 'failed'
      readonly problem: string | null
      readonly nextTryAt: Date
      readonly now: Date
    },
  ]
>(
  'end_outbox_try',
  `UPDATE outbox_messages SET state = :state, problem = :problem, leased_until = NULL,
     next_try_at = :nextTryAt,
     sent_at = CASE WHEN :state::text = 'sent' THEN :now::timestamptz END
   WHERE (id = :id OR bundled_into = :id) AND state = 'waiting'
     AND EXISTS (SELECT FROM outbox_messages h WHERE h.id = :id AND h.attempts = :attempts)`,
)

/**
 * Forgets some of what was sent before a moment, and of what is over in chats and came before
 * another; answers how many.
 */
export const forgetEnded = countQuery<[sentBefore: Date, chatBefore: Date]>(
  'forget_ended_messages',
  // Those that were bundled refer to the one they went with.
  `WITH old AS (SELECT id FROM outbox_messages WHERE bundled_into IS NULL
       AND (state = 'sent' AND sent_at < $1
         OR channel = 'chat' AND state <> 'waiting' AND created_at < $2) LIMIT 1000)
   DELETE FROM outbox_messages WHERE id IN (SELECT id FROM old)
     OR bundled_into IN (SELECT id FROM old) RETURNING 1 AS gone`,
)

/**
 * Has a message sent again from now on, and those that went with it each by itself; false
 * when it has not failed, or has no sense any more.
 */
export const restartMessage = existsQuery<[id: number, now: Date]>(
  'send_message_again',
  `UPDATE outbox_messages SET state = 'waiting', attempts = 0, first_tried_at = NULL,
     next_try_at = $2, problem = NULL, bundled_into = NULL
   WHERE (id = $1 OR bundled_into = $1) AND state = 'failed'
     AND (expires_at IS NULL OR expires_at > $2) RETURNING id`,
)

/** Lets others go out with one, which may be among them. */
export const bundle = writeQuery<[id: number, others: readonly number[]]>(
  'bundle_outbox_messages',
  'UPDATE outbox_messages SET bundled_into = $1 WHERE id = ANY($2::bigint[]) AND id <> $1',
)

export const kindOfMessage = valueQuery<{ kind: string }, [id: number]>(
  'read_outbox_kind',
  'SELECT kind FROM outbox_messages WHERE id = $1 AND bundled_into IS NULL',
)
