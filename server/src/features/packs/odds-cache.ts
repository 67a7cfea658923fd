// The odds tables that are being drawn from, kept ready until something that decides them changes.

import { type OddsTable, tableHash, tableText, thresholdsOf } from '@redpack/fair/draw'
import { LRUCache } from 'lru-cache'
import type { Database, Queryable } from '../../adapters/db/database.ts'
import { nodeHashing } from '../../adapters/random/hashing.ts'
import type { OpenablePrize } from '../../rules/opening.ts'
import { readOddsInForce, readOddsRevisions, storeOddsTable } from './pack-tables.ts'

/** The odds of a pack type at one revision. */
export interface ReadyOdds extends OddsTable {
  readonly entries: readonly OpenablePrize[]
  readonly revision: number
  /** Of the database before they were read. */
  readonly doubts: number
  /** The canonical text, and its hash. */
  readonly body: string
  readonly tableHash: string
  readonly thresholds: readonly number[]
  /** Of the table's row, to which openings refer; undefined while it may have none. */
  readonly tableId?: number
}

const tablesMax = 500

/**
 * Keeps one ready table per pack type; the revision that every opening reads says if it still
 * holds. A server that took over may have lost a revision and give its number to other odds, so
 * nothing is kept for longer than the server is beyond doubt.
 */
export class OddsCache {
  private readonly ready = new LRUCache<number, ReadyOdds>({ max: tablesMax })
  private readonly db: Pick<Database, 'pool'>

  constructor(db: Pick<Database, 'pool'>) {
    this.db = db
  }

  /**
   * The row of a table, made when there is none yet: from then on the public log tells it.
   * Inside a transaction its id is not kept: rolled back, the row would not be there.
   */
  async idOfRow(
    db: Queryable,
    odds: ReadyOdds,
    { now, isInTransaction }: { readonly now: Date; readonly isInTransaction: boolean },
  ): Promise<number> {
    if (odds.tableId !== undefined) return odds.tableId
    const tableId = await storeOddsTable(db, odds, now)
    if (!isInTransaction) this.keep({ ...odds, tableId })
    return tableId
  }

  /** Reads these anew next time: a failover may have lost the row of a table that is kept. */
  forget(openings: Iterable<{ readonly packTypeId: number }>): void {
    for (const { packTypeId } of openings) this.ready.delete(packTypeId)
  }

  /** The hash of the odds that the next draw is made from, for every pack type by its id. */
  async hashes(db: Queryable): Promise<ReadonlyMap<number, string>> {
    const hashes = new Map<number, string>()
    for (const { id, revision } of await readOddsRevisions(db)) {
      hashes.set(id, (await this.at(db, id, revision)).tableHash)
    }
    return hashes
  }

  /** The odds at this revision or a later one, read only when they are not at hand. */
  async at(db: Queryable, packTypeId: number, revision: number): Promise<ReadyOdds> {
    const doubts = this.db.pool?.().doubts ?? 0
    const kept = this.ready.get(packTypeId)
    if (kept?.revision === revision && kept.doubts === doubts) return kept
    const read = await readOddsInForce(db, packTypeId)
    const terms = {
      packTypeId,
      consolationRedCoin: read.consolationRedCoin,
      entries: read.prizes,
    }
    const body = tableText(terms)
    const odds: ReadyOdds = {
      ...terms,
      revision: read.revision,
      doubts,
      body,
      tableHash: tableHash(body, nodeHashing),
      thresholds: thresholdsOf(read.prizes),
    }
    this.keep(odds)
    return odds
  }

  private keep(odds: ReadyOdds): void {
    this.ready.set(odds.packTypeId, odds)
  }
}
