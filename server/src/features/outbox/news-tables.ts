// The SQL of news: it makes messages of what has happened, and reads for whom a message is, what it
// tells of, and what staff add to it.

import type { NotificationChannel } from '@redpack/contract/notification-kinds'
import { type Queryable, type Statement, statement } from '../../adapters/db/database.ts'
import { oneQuery, rowQuery, rowsQuery, valueQuery } from '../../adapters/db/queries.ts'
import { type NewsSource, type NewsSourceName, newsSources, wantsNews } from './recipient-sql.ts'

const named = Object.entries(newsSources) as [NewsSourceName, NewsSource][]

/** What a row `n` is called in messages; without a table its detail is a part of it. */
const eventOf = (name: string, table: string | undefined) =>
  `'${name}-' || n.id${table === undefined ? ` || ':' || n.detail` : ''}`

/** Leaves a message on each of the channels `$1` for the rows that `from` reads. */
const leaving = (event: string, from: string) =>
  `INSERT INTO outbox_messages (user_id, channel, kind, event, next_try_at, created_at)
   SELECT n.user_id, ch.channel, n.kind, ${event}, $2, $2
   FROM (${from}) n CROSS JOIN unnest($1::text[]) ch(channel)
   JOIN users u ON u.id = n.user_id JOIN notification_settings s ON s.user_id = u.id
   WHERE n.at > $3 AND ${wantsNews('n.kind', 'ch.channel')}
   ORDER BY n.id
   ON CONFLICT DO NOTHING`

interface Reach {
  readonly seen: number
  readonly last: number
}

export interface History {
  readonly name: NewsSourceName
  readonly table: string
  /** How far it has been read, and how far it goes. */
  readonly reach: (db: Queryable) => Promise<Reach>
  readonly collect: Statement
}

/** Every history with news, and its statements. */
export const histories = named.flatMap(([name, { table, rows }]): History[] => {
  if (table === undefined) return []
  return [
    {
      name,
      table,
      reach: oneQuery<Reach>(
        `reach_of_news_${name}`,
        `SELECT
           coalesce((SELECT seen_id FROM outbox_marks WHERE source = '${name}'), 0)::bigint AS seen,
           coalesce((SELECT max(id) FROM ${table}), 0)::bigint AS last`,
      ),
      collect: statement(
        `collect_news_${name}`,
        leaving(eventOf(name, table), `${rows} AND t.id > $4 AND t.id <= $5`),
      ),
    },
  ]
})

const dues = named.flatMap(([name, { table, rows }]) => {
  if (table !== undefined) return []
  const due = `SELECT * FROM (${rows}) d WHERE d.at <= $2`
  return [statement(`collect_due_${name}`, leaving(eventOf(name, table), due))]
})

const readings = named.map(([name, { table, rows }]) => ({
  name,
  read: statement(
    `read_news_${name}`,
    `SELECT n.subject, n.status, n.amount FROM (${rows} AND t.id = $1) n
     WHERE n.user_id = $2 AND n.kind = $3 AND ${eventOf(name, table)} = $4 LIMIT 1`,
  ),
}))

const moveMark = statement(
  'move_outbox_mark',
  `INSERT INTO outbox_marks (source, seen_id) VALUES ($1, $2)
   ON CONFLICT (source) DO UPDATE SET seen_id = greatest(outbox_marks.seen_id, $2)`,
)

/** When news is collected, and where to. */
export interface Collecting {
  readonly channels: readonly NotificationChannel[]
  readonly now: Date
  /** What is older is no news. */
  readonly since: Date
}

/**
 * Leaves messages for what happened in the rows of a history with ids above `from` up to `to`. All
 * of these must be committed or never be.
 */
export async function collectRows(
  tx: Queryable,
  { name, collect }: History,
  [from, to]: readonly [from: number, to: number],
  { channels, now, since }: Collecting,
): Promise<void> {
  await tx.run(collect, [channels, now, since, from, to])
  await tx.run(moveMark, [name, to])
}

/** Leaves messages for what stands in no history and became true; told already, it is left out. */
export async function collectDue(
  db: Queryable,
  { channels, now, since }: Collecting,
): Promise<void> {
  for (const due of dues) await db.run(due, [channels, now, since])
}

/** What the text of a message needs to know of its event. */
export interface News {
  /** Name of a prize or a stream, `packs` for packs, null for RedCoin. */
  readonly subject: string | null
  /** Of a claim; for a win the state of its shipment, for that who carries it, or its deadline. */
  readonly status: string | null
  /** RedCoin or packs, with the sign of the change. */
  readonly amount: number
}

/**
 * What an event is about for somebody; undefined when it does not stand any more, or is of another
 * kind by now: nobody is asked for an address that they have given.
 */
export async function readNews(
  db: Queryable,
  event: string,
  userId: number,
  kind: string,
): Promise<News | undefined> {
  const at = event.indexOf('-')
  const source = readings.find(({ name }) => name === event.slice(0, at))
  // What stands in no table says all by its kind.
  if (source === undefined) return { subject: null, status: null, amount: 0 }
  const id = Number.parseInt(event.slice(at + 1), 10)
  return (await db.run<News>(source.read, [id, userId, kind, event]))[0]
}

/** For whom news is. */
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

/** Undefined for somebody who has said nothing about news. */
export const recipientOf = rowQuery<Recipient, [userId: number, kind: string, channel: string]>(
  'read_recipient_of_message',
  `SELECT u.display_name, s.address, s.pending_address, s.pending_key, u.discord_id,
     s.quiet_from, s.quiet_until, coalesce(u.timezone, 'UTC') AS timezone,
     ${wantsNews('$2::text', '$3::text')} AS is_wanted, o.sentence
   FROM notification_settings s JOIN users u ON u.id = s.user_id
   LEFT JOIN outbox_sentences o ON o.kind = $2 WHERE u.id = $1`,
)

type OfKind = readonly [userId: number, kind: string, channel: string]

/** When messages of the kind went to the person within the hour, the oldest first. */
export const recentTries = rowsQuery<{ at: Date }, [...OfKind, now: Date]>(
  'read_recent_outbox_messages',
  `SELECT first_tried_at AS at FROM outbox_messages
   WHERE user_id = $1 AND kind = $2 AND channel = $3 AND bundled_into IS NULL
     AND first_tried_at > $4::timestamptz - interval '1 hour' AND first_tried_at <= $4
   -- not null: at (the condition asks for it)
   ORDER BY first_tried_at`,
)
/** The messages of the kind that have yet to be tried. */
export const waitingOfKind = rowsQuery<{ id: number }, OfKind>(
  'read_waiting_of_kind',
  `SELECT id FROM outbox_messages
   WHERE user_id = $1 AND kind = $2 AND channel = $3 AND state = 'waiting'
     AND bundled_into IS NULL AND attempts = 0 ORDER BY id`,
)
/** The events that a message tells of: its own and those of the ones bundled into it. */
export const eventsOf = rowsQuery<{ event: string }, [id: number]>(
  'read_outbox_events',
  'SELECT event FROM outbox_messages WHERE id = $1 OR bundled_into = $1 ORDER BY id',
)

// The table, so that two who write the first sentence of a kind wait for each other as well.
const lockSentences = statement(
  'lock_outbox_sentences',
  'LOCK TABLE outbox_sentences IN SHARE ROW EXCLUSIVE MODE',
)
const readSentence = valueQuery<{ sentence: string }, [kind: string]>(
  'read_outbox_sentence',
  'SELECT sentence FROM outbox_sentences WHERE kind = $1',
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

/** What staff add to a kind, which nobody else changes before this transaction ends. */
export async function holdSentence(tx: Queryable, kind: string): Promise<string | null> {
  await tx.run(lockSentences, [])
  return (await readSentence(tx, kind)) ?? null
}

/** Puts what staff add to a kind in the place of what stood before. */
export async function replaceSentence(
  tx: Queryable,
  kind: string,
  sentence: string | null,
  now: Date,
): Promise<void> {
  if (sentence === null) await tx.run(dropSentence, [kind])
  else await tx.run(putSentence, [kind, sentence, now])
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
