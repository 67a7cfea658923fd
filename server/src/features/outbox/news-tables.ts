// The SQL that makes messages of what has happened, and that reads what a message tells of.

import { type Queryable, type Statement, statement } from '../../adapters/db/database.ts'
import { oneQuery } from '../../adapters/db/queries.ts'
import {
  type Channel,
  type NewsSource,
  type NewsSourceName,
  newsSources,
  wantsNews,
} from './recipient-sql.ts'

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
  readonly channels: readonly Channel[]
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
