// The SQL of sending: what is due, whose it is, its lease, and how a try ended.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import { existsQuery, rowsQuery, valueQuery, writeQuery } from '../../adapters/db/queries.ts'
import { type Channel, type MessageKind, wantsNews } from './recipient-sql.ts'

const isDue = `state = 'waiting' AND bundled_into IS NULL AND next_try_at <= $1
  AND (leased_until IS NULL OR leased_until <= $1)`
/** Those of a channel that are due and have waited longest. */
export const findDueMessages = rowsQuery<
  { id: number; user_id: number },
  [now: Date, channel: Channel, limit: number]
>(
  'find_due_outbox_messages',
  `SELECT id, user_id FROM outbox_messages WHERE channel = $2 AND ${isDue}
   ORDER BY next_try_at, id LIMIT $3`,
)
// One process at a time decides about a person, so that what is counted here stays true.
const lockSettings = statement(
  'lock_notification_settings',
  'SELECT user_id FROM notification_settings WHERE user_id = $1 FOR NO KEY UPDATE',
)
const readMessage = statement(
  'read_due_outbox_message',
  `SELECT id, user_id, channel, kind, event, attempts FROM outbox_messages
   WHERE id = $2 AND ${isDue} FOR UPDATE`,
)
const readRecipient = statement(
  'read_recipient_of_message',
  `SELECT u.display_name, s.address, s.pending_address, s.pending_key, u.discord_id,
     s.quiet_from, s.quiet_until, coalesce(u.timezone, 'UTC') AS timezone,
     ${wantsNews('$2::text', '$3::text')} AS is_wanted, o.sentence
   FROM notification_settings s JOIN users u ON u.id = s.user_id
   LEFT JOIN outbox_sentences o ON o.kind = $2 WHERE u.id = $1`,
)

/** Whom a message goes to. */
export interface Recipient {
  readonly display_name: string
  readonly address: string | null
  readonly pending_address: string | null
  readonly pending_key: string | null
  readonly quiet_from: string | null
  readonly quiet_until: string | null
  readonly timezone: string
  readonly discord_id: string | null
  /** What staff add to the kind of the message. */
  readonly sentence: string | null
  readonly is_wanted: boolean
}

export interface DueMessage {
  readonly id: number
  readonly user_id: number
  readonly channel: Channel
  readonly kind: MessageKind
  readonly event: string
  /** How often sending has begun before. */
  readonly attempts: number
}

/** Locks the message and its person; undefined when somebody else has it by now. */
export async function lockDueMessage(
  tx: Queryable,
  due: { readonly id: number; readonly user_id: number },
  now: Date,
): Promise<DueMessage | undefined> {
  await tx.run(lockSettings, [due.user_id])
  return (await tx.run<DueMessage>(readMessage, [now, due.id]))[0]
}

export async function recipientOf(
  tx: Queryable,
  { user_id, kind, channel }: DueMessage,
): Promise<Recipient | undefined> {
  return (await tx.run<Recipient>(readRecipient, [user_id, kind, channel]))[0]
}

const readRecent = statement(
  'read_recent_outbox_messages',
  `SELECT first_tried_at AS at FROM outbox_messages
   WHERE user_id = $1 AND kind = $2 AND channel = $3 AND bundled_into IS NULL
     AND first_tried_at > $4
   -- not null: at (the condition asks for it)
   ORDER BY first_tried_at`,
)
const readOthers = statement(
  'read_waiting_of_kind',
  `SELECT id FROM outbox_messages
   WHERE user_id = $1 AND kind = $2 AND channel = $3 AND state = 'waiting'
     AND bundled_into IS NULL AND attempts = 0 ORDER BY id`,
)
/** Lets others go out with one, which may be among them. */
export const bundle = writeQuery<[id: number, others: readonly number[]]>(
  'bundle_outbox_messages',
  'UPDATE outbox_messages SET bundled_into = $1 WHERE id = ANY($2::bigint[]) AND id <> $1',
)

/** When messages of the kind went to the person after `since`, the oldest first. */
export async function recentTries(
  tx: Queryable,
  { user_id, kind, channel }: DueMessage,
  since: Date,
): Promise<Date[]> {
  return (await tx.run<{ at: Date }>(readRecent, [user_id, kind, channel, since])).map(
    ({ at }) => at,
  )
}

/** Ids of the messages of the kind that have yet to be tried, this one among them. */
export async function waitingOfKind(
  tx: Queryable,
  { user_id, kind, channel }: DueMessage,
): Promise<number[]> {
  return (await tx.run<{ id: number }>(readOthers, [user_id, kind, channel])).map(({ id }) => id)
}

const readEvents = statement(
  'read_outbox_events',
  'SELECT event FROM outbox_messages WHERE id = $1 OR bundled_into = $1 ORDER BY id',
)
const lease = statement(
  'lease_outbox_message',
  `UPDATE outbox_messages SET attempts = attempts + 1, leased_until = $3,
     first_tried_at = coalesce(first_tried_at, $2)
   WHERE id = $1 RETURNING attempts, first_tried_at -- not null: first_tried_at (set here)`,
)
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

/** The events that a message tells of: its own and those of the ones bundled into it. */
export async function eventsOf(tx: Queryable, id: number): Promise<string[]> {
  return (await tx.run<{ event: string }>(readEvents, [id])).map(({ event }) => event)
}

/** A try that has begun: its number fences off whoever comes back after the lease. */
export interface Try {
  readonly id: number
  readonly attempts: number
  readonly firstTriedAt: Date
}

/** Writes down that a try begins, before it does; nobody else begins one before `leasedUntil`. */
export async function beginTry(
  tx: Queryable,
  id: number,
  now: Date,
  leasedUntil: Date,
): Promise<Try> {
  const rows = await tx.run<{ attempts: number; first_tried_at: Date }>(lease, [
    id,
    now,
    leasedUntil,
  ])
  return { id, attempts: rows[0]?.attempts ?? 0, firstTriedAt: rows[0]?.first_tried_at ?? now }
}

const endTry = statement(
  'end_outbox_try',
  `UPDATE outbox_messages SET state = :state, problem = :problem, leased_until = NULL,
     next_try_at = :nextTryAt,
     sent_at = CASE WHEN :state::text = 'sent' THEN :now::timestamptz END
   WHERE (id = :id OR bundled_into = :id) AND state = 'waiting'
     AND EXISTS (SELECT FROM outbox_messages h WHERE h.id = :id AND h.attempts = :attempts)
   RETURNING id`,
)

/** How a try ended; false when another one has begun since. */
export async function finishTry(
  tx: Queryable,
  { id, attempts }: Try,
  end: {
    readonly state: 'sent' | 'waiting' | 'failed'
    readonly problem: string | null
    readonly nextTryAt: Date
    readonly now: Date
  },
): Promise<boolean> {
  const { state, problem, nextTryAt, now } = end
  const values = { id, attempts, state, problem, nextTryAt, now }
  return (await tx.run(endTry, values)).length > 0
}

/** Forgets what was sent before a moment. */
export const forgetSent = writeQuery<[before: Date]>(
  'forget_sent_messages',
  // Those that were bundled refer to the one they went with.
  `WITH old AS (SELECT id FROM outbox_messages
     WHERE state = 'sent' AND bundled_into IS NULL AND sent_at < $1 LIMIT 10000)
   DELETE FROM outbox_messages WHERE id IN (SELECT id FROM old)
     OR bundled_into IN (SELECT id FROM old)`,
)

/** Has a failed message sent again from now on; false when it has not failed. */
export const restartMessage = existsQuery<[id: number, now: Date]>(
  'send_message_again',
  `UPDATE outbox_messages SET state = 'waiting', attempts = 0, first_tried_at = NULL,
     next_try_at = $2, problem = NULL
   WHERE (id = $1 OR bundled_into = $1) AND state = 'failed' RETURNING id`,
)

export const kindOfMessage = valueQuery<{ kind: string }, [id: number]>(
  'read_outbox_kind',
  'SELECT kind FROM outbox_messages WHERE id = $1 AND bundled_into IS NULL',
)

const readSentence = statement(
  'lock_outbox_sentence',
  'SELECT sentence FROM outbox_sentences WHERE kind = $1 FOR UPDATE',
)
const dropSentence = statement(
  'drop_outbox_sentence',
  'DELETE FROM outbox_sentences WHERE kind = $1',
)
const putSentence = statement(
  'put_outbox_sentence',
  `INSERT INTO outbox_sentences (kind, sentence, updated_at) VALUES ($1, $2, $3)
   ON CONFLICT (kind) DO UPDATE SET sentence = $2, updated_at = $3`,
)

/** Puts what staff add to a kind in the place of what stood before, which it answers. */
export async function replaceSentence(
  tx: Queryable,
  kind: string,
  sentence: string | null,
  now: Date,
): Promise<string | null> {
  const [before] = await tx.run<{ sentence: string }>(readSentence, [kind])
  if (sentence === null) await tx.run(dropSentence, [kind])
  else await tx.run(putSentence, [kind, sentence, now])
  return before?.sentence ?? null
}

const readSentences = statement(
  'read_outbox_sentences',
  'SELECT kind, sentence FROM outbox_sentences',
)

/** What staff add, by kind. */
export async function sentencesByKind(db: Queryable): Promise<ReadonlyMap<string, string>> {
  const rows = await db.run<{ kind: string; sentence: string }>(readSentences, [])
  return new Map(rows.map(({ kind, sentence }) => [kind, sentence]))
}
