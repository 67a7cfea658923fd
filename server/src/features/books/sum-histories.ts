// Sums up what the histories have gained, a range of ids at a time and each row once, so that
// totals are read without going through them.

import type { Queryable } from '../../adapters/db/database.ts'
import { existsQuery, oneQuery, writeQuery } from '../../adapters/db/queries.ts'
import { untilWritersEnd } from '../../adapters/db/settled-history.ts'
import type { Deps } from '../../adapters/deps.ts'
import type { History } from './history-sums-sql.ts'

const begin = writeQuery<[history: History]>(
  'begin_history_sums',
  `INSERT INTO history_sums (name, summed_id, rows, paid) VALUES ($1, 0, 0, 0)
   ON CONFLICT DO NOTHING`,
)
// Whoever finds it locked leaves it to the other.
const lock = existsQuery<[history: History]>(
  'lock_history_sums',
  'SELECT name FROM history_sums WHERE name = $1 FOR UPDATE SKIP LOCKED',
)
const lockOpenings = writeQuery(
  'lock_sums_of_openings',
  `SELECT summed_id FROM history_sums WHERE name = 'openings' FOR UPDATE`,
)

const range = 'id > $1 AND id <= $2'
const add = (history: History, rows: string, paid = '0') =>
  `UPDATE history_sums SET summed_id = $2, rows = rows + (${rows}), paid = paid + (${paid})
   WHERE name = '${history}'`

interface HistoryState {
  readonly newestId: number
  /** Rows up to this id are in the sums. */
  readonly summedId: number
  /** Other changes that wait for being summed up. */
  readonly changes: number
}

/** Adds rows with ids above `from` up to `to`, of which no transaction can bring another one. */
type Range = [from: number, to: number]

// The changes of states are summed up with the claims.
const newestOf = (history: History, table: string) =>
  oneQuery<HistoryState>(
    `newest_of_${history}`,
    `SELECT coalesce(max(id), 0)::bigint AS "newestId",
       coalesce((SELECT summed_id FROM history_sums WHERE name = '${history}'), 0) AS "summedId",
       ${history === 'claims' ? '(SELECT count(*)::int FROM claim_state_changes)' : '0'} AS changes
     FROM ${table}`,
  )

/** Of each history where its rows are written first, how far it goes, and how they are added. */
const summings = {
  ledger: {
    table: 'red_coin_transactions',
    newest: newestOf('ledger', 'red_coin_transactions'),
    sum: writeQuery<Range>(
      'sum_ledger',
      `WITH new AS MATERIALIZED (SELECT * FROM red_coin_transactions WHERE ${range}), days AS (
         INSERT INTO ledger_days (day, type, is_source, amount)
         SELECT (created_at AT TIME ZONE 'UTC')::date, type, amount > 0, sum(abs(amount)) FROM new
         GROUP BY 1, 2, 3
         ON CONFLICT (day, type, is_source) DO UPDATE
           SET amount = ledger_days.amount + EXCLUDED.amount
       )
       ${add('ledger', 'SELECT count(*) FROM new')}`,
    ),
  },
  openings: {
    table: 'pack_openings',
    newest: newestOf('openings', 'all_pack_openings'),
    sum: writeQuery<Range>(
      'sum_openings',
      `WITH new AS MATERIALIZED (
         SELECT created_at, pack_type_id, 1 AS shown FROM pack_openings WHERE ${range}
         UNION ALL
         SELECT created_at, pack_type_id, 0 FROM pack_openings_archive WHERE ${range}
       ), hours AS (
         INSERT INTO opening_hours (hour, pack_type_id, opened, shown)
         SELECT date_trunc('hour', created_at, 'UTC'), pack_type_id, count(*), sum(shown) FROM new
         GROUP BY 1, 2
         ON CONFLICT (hour, pack_type_id) DO UPDATE
           SET opened = opening_hours.opened + EXCLUDED.opened,
             shown = opening_hours.shown + EXCLUDED.shown
       )
       ${add('openings', 'SELECT coalesce(sum(shown), 0) FROM new')}`,
    ),
  },
  claims: {
    table: 'prize_claims',
    newest: newestOf('claims', 'prize_claims'),
    sum: writeQuery<Range>(
      'sum_claims',
      `WITH new AS MATERIALIZED (SELECT * FROM prize_claims WHERE ${range}), hours AS (
         INSERT INTO claim_hours (hour, prize_id, claims, won)
         SELECT date_trunc('hour', created_at, 'UTC'), prize_id, count(*), count(pack_opening_id)
         FROM new GROUP BY 1, 2
         ON CONFLICT (hour, prize_id) DO UPDATE
           SET claims = claim_hours.claims + EXCLUDED.claims, won = claim_hours.won + EXCLUDED.won
       ), words AS (
         INSERT INTO claim_search (claim_id, words)
         SELECT id, lower(coalesce(claim_id, 'PR-' || id) || E'\\n' || prize_name) FROM new
       ), taken AS (
         DELETE FROM claim_state_changes RETURNING state, difference
       ), states AS (
         INSERT INTO claim_states (state, difference)
         SELECT state, sum(difference) FROM taken GROUP BY state
         ON CONFLICT (state) DO UPDATE
           SET difference = claim_states.difference + EXCLUDED.difference
       )
       ${add(
         'claims',
         'SELECT count(*) FROM new',
         'SELECT count(*) FROM new WHERE red_coin_amount > 0',
       )}`,
    ),
  },
  audit: {
    table: 'audit_log',
    newest: newestOf('audit', 'audit_log'),
    sum: writeQuery<Range>(
      'sum_audit',
      add('audit', `SELECT count(*) FROM audit_log WHERE ${range}`),
    ),
  },
} as const satisfies Readonly<Record<History, unknown>>

/** All histories, in the order in which they are summed up. */
const histories = Object.keys(summings) as readonly History[]

/** Keeps openings from being summed up until the transaction ends. */
export async function holdSumsOfOpenings(tx: Queryable): Promise<void> {
  await begin(tx, 'openings')
  await lockOpenings(tx)
}

/** Makes every opening that is summed up a hidden one. */
export const hideSummedOpenings = writeQuery(
  'hide_summed_openings',
  `WITH hidden AS (UPDATE opening_hours SET shown = 0 WHERE shown > 0)
   UPDATE history_sums SET rows = 0 WHERE name = 'openings'`,
)

/** Fewer rows are read as they are. */
const rowsMin = 500
/** Ids at a time: a second of work, between which others have their turn. */
const idsAtOnce = 50_000
/** A transaction that writes for longer is waited for the next time. */
const patienceMillis = 500
/** The job gives its lease back after this time and goes on the next time. */
const runMillisMax = 30_000
const statementMillisMax = 60_000

/**
 * Brings every history's sums up to its newest settled row, for at most half a minute. May be run
 * at any time and by any number of processes: readings before, meanwhile and after it are the same.
 */
export async function sumHistories(
  deps: Pick<Deps, 'db'>,
  stopping: AbortSignal = new AbortController().signal,
  from = rowsMin,
): Promise<void> {
  const until = performance.now() + runMillisMax
  let left: readonly History[] = histories
  while (left.length > 0 && !stopping.aborted && performance.now() < until) {
    const more: History[] = []
    for (const history of left) if (await sumSome(deps, history, from)) more.push(history)
    left = more
  }
}

/** Sums up one range, when there are `rowsFrom` rows; answers whether there is more. */
async function sumSome(
  { db }: Pick<Deps, 'db'>,
  history: History,
  rowsFrom: number,
): Promise<boolean> {
  const { table, newest: read, sum } = summings[history]
  const { newestId, summedId, changes } = await read(db)
  if (newestId - summedId < rowsFrom && changes < rowsFrom) return false
  return db.transaction(async (tx) => {
    await tx.allow(statementMillisMax)
    await begin(tx, history)
    if (!(await lock(tx, history))) return false
    const { newestId: newest, summedId: from } = await read(tx)
    const to = Math.min(newest, from + idsAtOnce)
    // Ids are given out in order and committed in any.
    if (!(await untilWritersEnd(tx, table, patienceMillis))) return false
    await sum(tx, from, to)
    return newest - to >= rowsFrom
  })
}
