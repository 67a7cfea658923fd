// The odds tables that are being drawn from, kept ready until something that decides them changes.

import { type OddsTable, tableHash, tableText, thresholdsOf } from '@redpack/fair/draw'
import { LRUCache } from 'lru-cache'
import type { Queryable } from '../../adapters/db/database.ts'
import { nodeHashing } from '../../adapters/random/hashing.ts'
import type { OpenablePrize } from '../../rules/opening.ts'
import { readOddsInForce, readOddsRevisions, storeOddsTable } from './pack-tables.ts'

/** The odds of a pack type at one revision. */
export interface ReadyOdds extends OddsTable {
  readonly entries: readonly OpenablePrize[]
  readonly revision: number
  /** The canonical text, and its hash. */
  readonly body: string
  readonly tableHash: string
  readonly thresholds: readonly number[]
}

/** Odds whose table has its row, so that openings can refer to it. */
export interface DrawableOdds extends ReadyOdds {
  readonly tableId: number
}

const tablesMax = 500

/**
 * Keeps one ready table per pack type; the revision that every opening reads says if it still
 * holds.
 */
export class OddsCache {
  private readonly ready = new LRUCache<number, ReadyOdds & { readonly tableId?: number }>({
    max: tablesMax,
  })

  /**
   * The table at this revision or a later one, read from the database only when it is not at hand.
   * Inside a transaction its row is not kept: rolled back, it would not be there.
   */
  async at(
    db: Queryable,
    packTypeId: number,
    revision: number,
    { now, isInTransaction }: { readonly now: Date; readonly isInTransaction: boolean },
  ): Promise<DrawableOdds> {
    const odds = await this.inForce(db, packTypeId, revision)
    if (odds.tableId !== undefined) return { ...odds, tableId: odds.tableId }
    const tableId = await storeOddsTable(db, odds, now)
    const drawable = { ...odds, tableId }
    if (!isInTransaction) this.keep(drawable)
    return drawable
  }

  /** Reads these anew next time: a failover may have lost the row of a table that is kept. */
  forget(openings: Iterable<{ readonly packTypeId: number }>): void {
    for (const { packTypeId } of openings) this.ready.delete(packTypeId)
  }

  /** The hash of the odds that the next draw is made from, for every pack type by its id. */
  async hashes(db: Queryable): Promise<ReadonlyMap<number, string>> {
    const hashes = new Map<number, string>()
    for (const { id, revision } of await readOddsRevisions(db)) {
      hashes.set(id, (await this.inForce(db, id, revision)).tableHash)
    }
    return hashes
  }

  private async inForce(db: Queryable, packTypeId: number, revision: number) {
    const kept = this.ready.get(packTypeId)
    if (kept !== undefined && kept.revision === revision) return kept
    const read = await readOddsInForce(db, packTypeId)
    const terms = {
      packTypeId,
      consolationRedCoin: read.consolationRedCoin,
      entries: read.prizes,
    }
    const body = tableText(terms)
    const odds: ReadyOdds & { readonly tableId?: number } = {
      ...terms,
      revision: read.revision,
      body,
      tableHash: tableHash(body, nodeHashing),
      thresholds: thresholdsOf(read.prizes),
    }
    this.keep(odds)
    return odds
  }

  private keep(odds: ReadyOdds & { readonly tableId?: number }): void {
    this.ready.set(odds.packTypeId, odds)
  }
}
