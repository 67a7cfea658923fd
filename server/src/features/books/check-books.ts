// Checks the books in the background, a short step after the other, and remembers how far it came:
// a restart, a time-out or another process goes on where it was left.

import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import { drawSeeds } from '../../adapters/random/draw-seeds.ts'
import {
  type BooksRow,
  beginCheck,
  failCheck,
  finishCheck,
  keepProgress,
  readBooksRows,
} from './books-tables.ts'
import { isWalk } from './broken-log.ts'
import type { Invariant, Progress } from './invariant.ts'
import { allInvariants } from './invariants.ts'
import { initCheckpoints, keepMarkOfLog } from './new-marks.ts'
import { Pace, readingBooks, sizeAtStart, workShare } from './throttle.ts'

export type CheckingDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'random' | 'encryption'>

const keepEveryMillis = 2_000
/** Each invariant is checked again after this, or later: checking takes a twentieth at most. */
const againMillisMin = 55_000
const againMillisMax = 6 * 3_600_000
const retryMillis = 60_000
const retryMillisMax = 3_600_000
const failureMax = 300

/**
 * Goes on with every check that is due, for at most four minutes. Stops between two steps when
 * `stopping` says so. May be run at any time; two at once find the same.
 * @throws Error naming the invariants that could not be checked; the others were
 */
export async function checkBooks(
  deps: CheckingDeps,
  stopping: AbortSignal = new AbortController().signal,
): Promise<void> {
  const { db, random, encryption, clock } = deps
  await initCheckpoints(deps)
  const rows = new Map((await readBooksRows(db)).map((row) => [row.invariant, row]))
  const work = [...rows.values()].reduce((sum, row) => sum + (row.workMillis ?? 0), 0)
  // The longest unknown first, so that on books of any size each has its turn.
  const due = allInvariants(drawSeeds(random, encryption))
    .filter(({ id }) => isDue(rows.get(id), work, clock.now()))
    .toSorted((a, b) => knownSince(rows.get(a.id)) - knownSince(rows.get(b.id)))
  const run = new CheckRun(deps, rows, stopping)
  for (let left: readonly Invariant[] = due; left.length > 0 && !run.isOver(); )
    left = await run.goOn(left)
  if (run.failures.length > 0) {
    throw new Error(`could not be checked: ${run.failures.join('; ')}`)
  }
}

function isDue(row: BooksRow | undefined, workMillis: number, now: Date): boolean {
  if (row === undefined) return true
  const { checkedAt, startedAt, failedAt, failuresInRow } = row
  // What a look at new rows has found is judged at once, and what is known to be wrong in its time.
  const isAsked = row.isDue || (row.newBrokenRows > 0 && !row.brokenRows)
  if (failedAt !== null) {
    const wait = Math.min(retryMillisMax, retryMillis * 2 ** Math.min(10, failuresInRow - 1))
    // Runs begin a little more often than the scheduler looks.
    return now.getTime() - failedAt.getTime() >= wait - retryMillis / 10
  }
  if (startedAt !== null || checkedAt === null || isAsked) return true
  const again = Math.min(againMillisMax, Math.max(againMillisMin, workMillis * workShare))
  const age = now.getTime() - checkedAt.getTime()
  // Whose clock was set back must not wait for a moment far away.
  return age >= again || age < 0
}

/** Begun checks come first, then those that were never made. */
function knownSince(row: BooksRow | undefined): number {
  if (row !== undefined && row.startedAt !== null) return -2
  return row?.checkedAt?.getTime() ?? -1
}

class CheckRun {
  readonly failures: string[] = []
  private readonly runner: string
  private readonly pace: Pace
  private readonly deps: CheckingDeps
  private readonly rows: ReadonlyMap<string, BooksRow>
  private isTakenOver = false

  constructor(deps: CheckingDeps, rows: ReadonlyMap<string, BooksRow>, stopping: AbortSignal) {
    this.deps = deps
    this.rows = rows
    this.pace = new Pace(deps.db.kind, stopping)
    this.runner = deps.random.uuid()
  }

  isOver(): boolean {
    return this.isTakenOver || this.pace.isOver()
  }

  /** Checks invariants until one fails, which ends its transaction; answers those still to do. */
  async goOn(due: readonly Invariant[]): Promise<readonly Invariant[]> {
    const { db, clock, log } = this.deps
    let done = 0
    const checkAll = async (reads: Queryable) => {
      for (const invariant of due.slice(done)) {
        if (this.isOver()) return
        await this.check(reads, invariant)
        done += 1
      }
    }
    try {
      await readingBooks(db, checkAll)
      return []
    } catch (error) {
      const failed = due[done]
      if (failed === undefined) throw error
      const reason = reasonOf(error)
      log.warn({ invariant: failed.id, reason }, 'an invariant could not be checked')
      this.failures.push(`${failed.id} (${reason})`)
      await beginCheck(db, failed.id, this.runner, clock.now())
      await failCheck(db, failed.id, this.runner, reason, clock.now())
      return due.slice(done + 1)
    }
  }

  private async check(reads: Queryable, invariant: Invariant): Promise<void> {
    const { db, clock } = this.deps
    const { id } = invariant
    const row = this.rows.get(id)
    await beginCheck(db, id, this.runner, clock.now())
    let progress: Progress | undefined = row?.progress ?? undefined
    let brokenRows = row?.brokenSoFar ?? 0
    const workedBefore = (row?.millisSoFar ?? 0) - this.pace.workMillis
    const workMillis = () => Math.round(workedBefore + this.pace.workMillis)
    let size = sizeAfterFailures(row?.failuresInRow ?? 0)
    let keptAt = performance.now()
    const keep = async () => {
      keptAt = performance.now()
      const found = { invariant: id, runner: this.runner, brokenRows }
      const soFar = { workMillis: workMillis(), progress: JSON.stringify(progress) }
      if (!(await keepProgress(db, { ...found, ...soFar }))) this.isTakenOver = true
    }
    try {
      do {
        if (this.isOver()) return
        const before: string | undefined = progress?.part
        const look = async () => {
          const step = await invariant.step(reads, progress, size)
          brokenRows += step.brokenCount
          // From here a look at new entries goes on.
          if (isWalk(progress) && !isWalk(step.next)) await keepMarkOfLog(db, progress)
          progress = step.next
        }
        size = await this.pace.step(size, look, () => before === progress?.part)
        if (progress !== undefined && performance.now() - keptAt > keepEveryMillis) await keep()
      } while (progress !== undefined)
    } finally {
      // What was looked at stays looked at, also when this run ends here.
      if (progress !== undefined) await keep()
    }
    await this.finish(invariant, brokenRows, workMillis())
  }

  private async finish(
    { id, title }: Invariant,
    brokenRows: number,
    workMillis: number,
  ): Promise<void> {
    const { db, clock, log } = this.deps
    const found = { brokenRows, workMillis, now: clock.now() }
    const isMine = await finishCheck(db, { invariant: id, runner: this.runner, ...found })
    if (!isMine) this.isTakenOver = true
    const row = this.rows.get(id)
    const before = Math.max(row?.brokenRows ?? 0, row?.newBrokenRows ?? 0)
    if (isMine && brokenRows > 0 && brokenRows !== before) {
      log.error({ invariant: id, title, brokenRows }, 'the books do not agree')
    }
    if (isMine && brokenRows === 0 && before > 0) {
      log.info({ invariant: id, title }, 'the books agree again')
    }
  }
}

/** What took too long is tried in smaller pieces. */
function sizeAfterFailures(failuresInRow: number): number {
  return Math.max(1, Math.floor(sizeAtStart / 8 ** Math.min(4, failuresInRow)))
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.split('\n', 1)[0]?.slice(0, failureMax) || 'unknown failure'
}
