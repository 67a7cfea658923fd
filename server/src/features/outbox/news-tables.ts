// The SQL that makes messages of histories, and that reads what a message tells of.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import { type NewsSourceName, newsSources, wantsMail } from './recipient-sql.ts'

export interface SourceStatements {
  readonly name: NewsSourceName
  readonly table: string
  readonly reach: ReturnType<typeof statement>
  readonly collect: ReturnType<typeof statement>
  readonly read: ReturnType<typeof statement>
}

/** Every history with news, and its statements. */
export const sources = (Object.keys(newsSources) as NewsSourceName[]).map(
  (name): SourceStatements => {
    const { table, rows } = newsSources[name]
    return {
      name,
      table,
      reach: statement(
        `reach_of_news_${name}`,
        `SELECT coalesce((SELECT seen_id FROM outbox_marks WHERE source = '${name}'), 0)::bigint AS seen,
           coalesce((SELECT max(id) FROM ${table}), 0)::bigint AS last`,
      ),
      collect: statement(
        `collect_news_${name}`,
        `INSERT INTO outbox_messages (user_id, channel, kind, event, next_try_at, created_at)
         SELECT n.user_id, 'email', n.kind, '${name}-' || n.id, $3, $3
         FROM (${rows} AND t.id > $1 AND t.id <= $2) n
         JOIN users u ON u.id = n.user_id JOIN notification_settings s ON s.user_id = u.id
         WHERE n.at > $4 AND ${wantsMail('n.kind')}
         ORDER BY n.id
         ON CONFLICT DO NOTHING`,
      ),
      read: statement(
        `read_news_${name}`,
        `SELECT n.subject, n.status, n.amount
         FROM (${rows} AND t.id = $1) n`,
      ),
    }
  },
)

const moveMark = statement(
  'move_outbox_mark',
  `INSERT INTO outbox_marks (source, seen_id) VALUES ($1, $2)
   ON CONFLICT (source) DO UPDATE SET seen_id = greatest(outbox_marks.seen_id, $2)`,
)

/** How far a history has been read, and how far it goes. */
export async function reachOf(
  db: Queryable,
  { reach }: SourceStatements,
): Promise<{ readonly seen: number; readonly last: number }> {
  const [row] = await db.run<{ seen: number; last: number }>(reach, [])
  return row ?? { seen: 0, last: 0 }
}

/**
 * Leaves messages for what happened after `since` in the rows with ids above `from` up to `to`. All
 * of these must be committed or never be.
 */
export async function collectRows(
  tx: Queryable,
  { name, collect }: SourceStatements,
  [from, to]: readonly [from: number, to: number],
  { now, since }: { readonly now: Date; readonly since: Date },
): Promise<void> {
  await tx.run(collect, [from, to, now, since])
  await tx.run(moveMark, [name, to])
}

/** What the text of a message needs to know of its event. */
export interface News {
  /** Name of a prize, `packs` for packs, null for RedCoin. */
  readonly subject: string | null
  readonly status: string | null
  /** RedCoin or packs, with the sign of the change. */
  readonly amount: number
}

/** What an event is about; undefined when it does not stand any more. */
export async function readNews(db: Queryable, event: string): Promise<News | undefined> {
  const at = event.lastIndexOf('-')
  const source = sources.find(({ name }) => name === event.slice(0, at))
  // What stands in no history says all by its kind.
  if (source === undefined) return { subject: null, status: null, amount: 0 }
  return (await db.run<News>(source.read, [Number(event.slice(at + 1))]))[0]
}
