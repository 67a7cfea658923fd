// The SQL of how far new rows were looked at.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import { oneValueQuery, rowQuery, rowsQuery, writeQuery } from '../../adapters/db/queries.ts'
import { untilWritersEnd } from '../../adapters/db/settled-history.ts'
import type { Deps } from '../../adapters/deps.ts'
import type { Walk } from './broken-log.ts'
import { type History, histories, isHistory, type State, states, writtenFirst } from './keys.ts'

export interface Marks {
  /** By history, the id up to which all was looked at. */
  readonly ids: Readonly<Partial<Record<History, number>>>
  /** The oldest transaction that was under way then, with its epoch. */
  readonly horizon: string
  readonly walk: Walk | null
  readonly lookedAt: Date
  readonly workMillis: number
  /** Names this state of the marks. */
  readonly writtenBy: string
  /** They were written in this database, and not restored into it. */
  readonly areOurs: boolean
}

const writer = 'pg_current_xact_id()::xid::text'
const begin = statement(
  'begin_books_marks',
  `INSERT INTO books_marks (ids, horizon, walk, looked_at, work_millis, written_by)
   VALUES (:ids::jsonb, :horizon, :walk::jsonb, :lookedAt, 0, ${writer})
   ON CONFLICT (only_row) DO UPDATE SET ids = EXCLUDED.ids, horizon = EXCLUDED.horizon,
     walk = EXCLUDED.walk, looked_at = EXCLUDED.looked_at, work_millis = 0,
     written_by = EXCLUDED.written_by
   WHERE :mayReplace RETURNING only_row`,
)
const move = statement(
  'move_books_marks',
  `UPDATE books_marks SET ids = :ids::jsonb, horizon = :horizon, walk = :walk::jsonb,
     looked_at = :lookedAt, work_millis = :workMillis, written_by = ${writer}
   WHERE written_by = :before`,
)
const keepWalk = statement(
  'keep_books_walk',
  `UPDATE books_marks SET walk = $1::jsonb, written_by = ${writer}`,
)
// Checks under way lose their place and their runner: what they have seen was before.
const makeDue = statement(
  'make_books_due',
  `UPDATE books_checks SET is_due = true, started_at = NULL, runner = NULL, progress = NULL,
     broken_so_far = 0, millis_so_far = 0`,
)

// A row with an id that its sequence has not given out yet was put there by hand: a mark on it
// would pass over what comes.
const markOf = (feed: History) => `least(coalesce(max(id), 0),
  (SELECT last_value - (NOT is_called)::int FROM ${writtenFirst(feed)}_id_seq))`
const reaches = Object.entries({ ...histories, ...states }).map(([name, { table }]) => {
  const feed = name as History | State
  return `SELECT '${feed}' AS feed, coalesce(min(id) - 1, 0)::bigint AS before,
     coalesce(max(id), 0)::bigint AS newest, (${isHistory(feed) ? markOf(feed) : '0'})::bigint AS mark
   FROM ${table}`
})

export interface Reach {
  readonly feed: History | State
  /** Below every id. */
  readonly before: number
  readonly newest: number
  /** Up to where ids were given out in their order. */
  readonly mark: number
}

// A row keeps the number of the transaction that wrote it. A dump brings what was written down, and
// its restore writes the row in a transaction of its own.
/** The marks, undefined before the first look. */
export const readMarks = rowQuery<Marks>(
  'read_books_marks',
  `SELECT ids, horizon, walk, looked_at AS "lookedAt", work_millis AS "workMillis",
     written_by AS "writtenBy", xmin::text = written_by
       AND horizon::xid8 <= pg_snapshot_xmin(pg_current_snapshot()) AS "areOurs"
   FROM books_marks`,
)

/** The ids of every history and state as they are seen now. */
export const readReaches = rowsQuery<Reach>('read_newest_of_books', reaches.join(' UNION ALL '))

/** The oldest transaction under way: all before it have ended, and the next statement sees them. */
export const currentHorizon = oneValueQuery<{ horizon: string }>(
  'read_horizon_of_books',
  'SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS horizon',
)

export type NewMarks = Pick<Marks, 'ids' | 'horizon' | 'walk' | 'lookedAt'>

const textsOf = ({ ids, walk }: NewMarks) => ({
  ids: JSON.stringify(ids),
  walk: JSON.stringify(walk),
})

/**
 * Begins anew from here, and makes every rule due that speaks of what was before. Where there was
 * no mark, the one that comes first counts: a check that began after it has seen what was before.
 */
async function beginMarks(tx: Queryable, before: Marks | undefined, marks: NewMarks) {
  const mayReplace = before !== undefined
  const begun = await tx.run(begin, { ...marks, ...textsOf(marks), mayReplace })
  if (begun.length > 0) await tx.run(makeDue, [])
}

/** Has no effect when somebody else has moved them since they were `before`. */
export async function moveMarks(
  db: Queryable,
  before: Marks,
  marks: NewMarks,
  workMillis: number,
): Promise<void> {
  await db.run(move, { ...marks, ...textsOf(marks), workMillis, before: before.writtenBy })
}

/** Keeps where a check has come to in the public log, when there are marks to keep it with. */
export async function keepMarkOfLog(db: Queryable, walk: Walk): Promise<void> {
  await db.run(keepWalk, [JSON.stringify(walk)])
}

/** Keeps that new rows break an invariant, until a check that is begun after this has judged it. */
export const reportNewBroken = writeQuery<[invariant: string, brokenRows: number]>(
  'report_new_broken_rows',
  `INSERT INTO books_checks (invariant, new_broken_rows, is_found_since) VALUES ($1, $2, true)
   ON CONFLICT (invariant) DO UPDATE SET is_found_since = true,
     new_broken_rows = greatest(books_checks.new_broken_rows, EXCLUDED.new_broken_rows)`,
)

/** Who writes for longer is waited for the next time; those rows are looked at twice. */
const patienceMillis = 500

/**
 * Marks how far the books go when that was never done. To be called before a check of all books:
 * the first marks end every check that began before them.
 */
export async function initCheckpoints(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  if ((await readMarks(deps.db)) === undefined) await beginAnew(deps, undefined, null)
}

/** Begins anew from here; does nothing while somebody writes for long: the next run tries again. */
export async function beginAnew(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  before: Marks | undefined,
  walk: Walk | null,
): Promise<void> {
  const lookedAt = clock.now()
  const horizon = await currentHorizon(db)
  const reaches = await readReaches(db)
  const ids = await committedMarks(db, reaches)
  if (Object.keys(ids).length < Object.keys(histories).length) return
  await db.transaction((tx) => beginMarks(tx, before, { ids, horizon, walk, lookedAt }))
}

/**
 * The marks of the histories in which no transaction can bring a row any more with an id up to
 * there.
 */
export async function committedMarks(
  db: Queryable,
  reaches: readonly Reach[],
): Promise<Record<string, number>> {
  const until = performance.now() + patienceMillis
  const ids: Record<string, number> = {}
  for (const { feed, mark } of reaches) {
    if (!isHistory(feed)) continue
    const left = Math.max(0, until - performance.now())
    if (await untilWritersEnd(db, writtenFirst(feed), left)) ids[feed] = mark
  }
  return ids
}
