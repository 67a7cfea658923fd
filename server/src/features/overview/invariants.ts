// What must always be true of the books: one query each, which finds the rows that break it.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import { findBrokenLog } from './broken-log.ts'
import { findFalseCommitments, findForgedDraws, type OpensSeeds } from './forged-draws.ts'
import type { Invariant } from './invariant.ts'
import { moneyInvariants } from './money-invariants.ts'
import { packInvariants } from './pack-invariants.ts'

export interface InvariantResult {
  readonly id: string
  readonly title: string
  /** Offending rows, at most 20. */
  readonly rows: readonly Record<string, unknown>[]
}

const rowsMax = 20

const allInvariants: readonly Invariant[] = [...moneyInvariants, ...packInvariants]

/**
 * Runs every invariant, the recomputation of every draw included. Reads only; on a database in use
 * the caller gives a transaction, so that all of them see one moment.
 */
export async function runInvariants(db: Queryable, seeds: OpensSeeds): Promise<InvariantResult[]> {
  const results: InvariantResult[] = []
  for (const { id, title, sql } of allInvariants) {
    const query = statement(`invariant_${id}`, `SELECT * FROM (${sql}) AS broken LIMIT ${rowsMax}`)
    results.push({ id, title, rows: await db.run<Record<string, unknown>>(query, []) })
  }
  results.push({
    id: 'I25',
    title: 'every published commitment is the hash of its server seed',
    rows: (await findFalseCommitments(db, seeds)).slice(0, rowsMax),
  })
  results.push({
    id: 'I26',
    title: 'every draw is what its seeds and its odds table say',
    rows: (await findForgedDraws(db, seeds)).slice(0, rowsMax),
  })
  results.push({
    id: 'I27',
    title: 'the public log is whole, signed as it is, and says what the books say',
    rows: (await findBrokenLog(db)).slice(0, rowsMax),
  })
  return results
}

/** Ids of the invariants that do not hold. */
export function brokenInvariants(results: readonly InvariantResult[]): string[] {
  return results.filter(({ rows }) => rows.length > 0).map(({ id }) => id)
}
