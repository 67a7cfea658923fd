// Checks all books at one moment, as fast as the machine lets it: several rules at once on
// PostgreSQL, so that the server looks for one while this process reckons for another.

import { type Database, type Queryable, statement } from '../../adapters/db/database.ts'
import { prepareForBooks } from './books-connection.ts'
import type { OpensSeeds } from './forged-draws.ts'
import type { Invariant } from './invariant.ts'
import { allInvariants, type InvariantResult, runInvariant, runInvariants } from './invariants.ts'

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
