// The odds tables that are being drawn from, kept ready until something that decides them changes.

import type { Queryable } from '../../adapters/db/database.ts'
import { sha256Hex } from '../../adapters/random/rolls.ts'
import { canonicalTable, oddsThresholds } from '../../rules/odds.ts'
import type { OpenablePrize } from '../../rules/opening.ts'
import { readOpenablePrizes, storeOddsTable } from './tables.ts'

export interface ReadyOdds {
  readonly revision: number
  readonly tableId: number
  readonly tableHash: string
  readonly prizes: readonly OpenablePrize[]
  readonly thresholds: readonly number[]
}

const tablesMax = 200

/**
 * Keeps one ready table per pack type; the revision that every opening reads says if it still
 * holds.
 */
export class OddsCache {
  private readonly ready = new Map<number, ReadyOdds>()

  /**
   * The table at this revision or a later one, read from the database only when it is not at hand.
   * Inside a transaction it is not kept: rolled back, the row of a new table would not be there.
   */
  async at(
    db: Queryable,
    packTypeId: number,
    revision: number,
    { now, isInTransaction }: { readonly now: Date; readonly isInTransaction: boolean },
  ): Promise<ReadyOdds> {
    const kept = this.ready.get(packTypeId)
    if (kept !== undefined && kept.revision === revision) return kept
    const read = await readOpenablePrizes(db, packTypeId)
    const body = canonicalTable(packTypeId, read.prizes)
    const tableHash = sha256Hex(body)
    const tableId = await storeOddsTable(db, { packTypeId, hash: tableHash, body }, now)
    const odds: ReadyOdds = {
      revision: read.revision,
      tableId,
      tableHash,
      prizes: read.prizes,
      thresholds: oddsThresholds(read.prizes),
    }
    if (isInTransaction) return odds
    const oldest = this.ready.keys().next()
    if (this.ready.size >= tablesMax && !oldest.done) this.ready.delete(oldest.value)
    this.ready.set(packTypeId, odds)
    return odds
  }
}
