// What must always be true of the books, each with what finds the rows that break it.

import { type Database, type Queryable, statement } from '../../adapters/db/database.ts'
import { brokenLog } from './broken-log.ts'
import { falseCommitments, forgedDraws, type OpensSeeds } from './forged-draws.ts'
import { type BrokenRow, brokenRowsMax, type Invariant, type Progress } from './invariant.ts'
import { batchInvariants, moneyInvariants } from './money-invariants.ts'
import { packInvariants, shipmentInvariants, stockInvariants } from './pack-invariants.ts'
import { prepareForBooks, sizeAfter, sizeAtStart } from './throttle.ts'

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
    ...shipmentInvariants,
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

/** Connections that look at the books at once. */
const lanesMax = 3
const snapshot = statement(
  'verify_snapshot',
  'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY',
)
const exportSnapshot = statement('verify_export_snapshot', 'SELECT pg_export_snapshot() AS name')
// The name cannot be a value of this statement, so that it is one of a setting's call.
const importSnapshot = (name: string) =>
  statement(`verify_import_snapshot_${name}`, `SET TRANSACTION SNAPSHOT '${name}'`)
const snapshotName = /^[0-9A-F]+-[0-9A-F]+-[0-9]+$/

/** Those that take longest, which begin first so that none of them is alone at the end. */
const longest: readonly string[] = ['I27', 'I26', 'I8', 'I23']

export interface Verification {
  readonly statementMillisMax: number
  /** Called in the transaction of the snapshot before anything is looked at. */
  readonly first?: (tx: Queryable) => Promise<void>
  readonly onResult?: (result: InvariantResult) => void
}

/** Answers every rule in their order. Each lane holds a few thousand rows at most. */
export function verifyBooks(
  db: Database,
  seeds: OpensSeeds,
  { statementMillisMax, first = async () => undefined, onResult }: Verification,
): Promise<InvariantResult[]> {
  return db.longTransaction(statementMillisMax, async (tx) => {
    await tx.run(snapshot, [])
    await first(tx)
    await prepareForBooks(tx)
    if (db.kind === 'embedded') return await runInvariants(tx, seeds, onResult)
    const [row] = await tx.run<{ name: string }>(exportSnapshot, [])
    const rules = allInvariants(seeds)
    const queue = [...rules].sort((a, b) => turnOf(a) - turnOf(b))
    const results = new Map<string, InvariantResult>()
    const work = async (reads: Queryable) => {
      for (let rule = queue.shift(); rule !== undefined; rule = queue.shift()) {
        const result = await runInvariant(reads, rule).catch((error: unknown) => {
          queue.length = 0
          throw error
        })
        onResult?.(result)
        results.set(rule.id, result)
      }
    }
    const others = Array.from({ length: lanesMax - 1 }, async () => {
      let isBeside = false
      try {
        await db.longTransaction(statementMillisMax, async (lane) => {
          await joinSnapshot(lane, row?.name ?? '')
          await prepareForBooks(lane)
          isBeside = true
          await work(lane)
        })
      } catch (error) {
        // Without a connection more, or with one to another server, the others do its work.
        if (isBeside) throw error
      }
    })
    // The snapshot is there as long as this transaction is, so it ends last, whatever fails.
    const ended = await Promise.allSettled([work(tx), ...others])
    for (const end of ended) if (end.status === 'rejected') throw end.reason
    return rules.flatMap(({ id }) => results.get(id) ?? [])
  })
}

const turnOf = ({ id }: Invariant) => (longest.includes(id) ? longest.indexOf(id) : longest.length)

async function joinSnapshot(lane: Queryable, name: string): Promise<void> {
  if (!snapshotName.test(name)) throw new Error('The snapshot of the books has no name')
  await lane.run(snapshot, [])
  await lane.run(importSnapshot(name), [])
}
