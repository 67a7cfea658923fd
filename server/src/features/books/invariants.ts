// What must always be true of the books, each with what finds the rows that break it.

import type { Queryable } from '../../adapters/db/database.ts'
import { batchInvariants } from './batch-invariants.ts'
import { brokenLog } from './broken-log.ts'
import { falseCommitments, forgedDraws, type OpensSeeds } from './forged-draws.ts'
import { type BrokenRow, brokenRowsMax, type Invariant, type Progress } from './invariant.ts'
import { moneyInvariants } from './money-invariants.ts'
import { packInvariants } from './pack-invariants.ts'
import { sizeAfter, sizeAtStart } from './step-size.ts'
import { stockInvariants } from './stock-invariants.ts'

export interface InvariantResult {
  readonly id: string
  readonly title: string
  /** Offending rows, at most 20. */
  readonly rows: readonly BrokenRow[]
  /** Offending rows in all. */
  readonly brokenRows: number
  readonly millis: number
}

/** Aim of one step where nobody else waits. */
const stepMillisAim = 400

/** Every invariant, the recomputation of every draw included. */
export function allInvariants(seeds: OpensSeeds): readonly Invariant[] {
  return [
    ...moneyInvariants,
    ...batchInvariants,
    ...packInvariants,
    ...stockInvariants,
    falseCommitments(seeds),
    forgedDraws(),
    brokenLog,
  ]
}

/**
 * Runs every invariant from beginning to end. Reads only; on a database in use the caller gives a
 * transaction, so that all of them see one moment. `onResult` hears of each as it ends.
 */
export async function runInvariants(
  db: Queryable,
  seeds: OpensSeeds,
  onResult: (result: InvariantResult) => void = () => undefined,
): Promise<InvariantResult[]> {
  const results: InvariantResult[] = []
  for (const invariant of allInvariants(seeds)) {
    const result = await runInvariant(db, invariant)
    onResult(result)
    results.push(result)
  }
  return results
}

/** Runs one of them. */
export async function runInvariant(db: Queryable, invariant: Invariant): Promise<InvariantResult> {
  const { id, title } = invariant
  const started = performance.now()
  const rows: BrokenRow[] = []
  let brokenRows = 0
  let progress: Progress | undefined
  let size = sizeAtStart
  do {
    const stepStarted = performance.now()
    const before: string | undefined = progress?.part
    const step = await invariant.step(db, progress, size)
    rows.push(...step.broken.slice(0, brokenRowsMax - rows.length))
    brokenRows += step.brokenCount
    progress = step.next
    size = sizeAfter(
      size,
      performance.now() - stepStarted,
      stepMillisAim,
      before === progress?.part,
    )
  } while (progress !== undefined)
  return { id, title, rows, brokenRows, millis: performance.now() - started }
}

/** Ids of the invariants that do not hold. */
export function brokenInvariants(results: readonly InvariantResult[]): string[] {
  return results.filter(({ rows }) => rows.length > 0).map(({ id }) => id)
}
