// Sums up what the histories have gained, so that totals are read without going through them.

import { untilWritersEnd } from '../../adapters/db/settled-history.ts'
import type { Deps } from '../../adapters/deps.ts'
import type { History } from './history-sums-sql.ts'
import {
  histories,
  lockHistory,
  readHistory,
  sumHistory,
  tableOfHistory,
} from './history-sums-tables.ts'

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
  const { newestId, summedId, changes } = await readHistory(db, history)
  if (newestId - summedId < rowsFrom && changes < rowsFrom) return false
  return db.transaction(async (tx) => {
    await tx.allow(statementMillisMax)
    if (!(await lockHistory(tx, history))) return false
    const { newestId: newest, summedId: from } = await readHistory(tx, history)
    const to = Math.min(newest, from + idsAtOnce)
    // Ids are given out in order and committed in any.
    if (!(await untilWritersEnd(tx, tableOfHistory(history), patienceMillis))) return false
    await sumHistory(tx, history, from, to)
    return newest - to >= rowsFrom
  })
}
