// What a proof of one opened pack holds, and what a check of it can come to.

import type { DrawTable } from './draw-table.ts'

/** What has to be known about one opened pack to draw it again. */
export interface DrawProof {
  readonly opening: {
    readonly id: number
    readonly createdAt: string
    readonly packTypeId: number
    /** The prize that was won, null for none. */
    readonly prizeId: number | null
    /** True when the draw landed on a prize whose stock was 0: the pack then counts as losing. */
    readonly soldOut: boolean
    readonly soldOutPrizeId: number | null
    readonly redCoinEarned: number
    readonly seedPairId: number
    readonly nonce: number
    readonly tableHash: string
    readonly serverSeedHash: string
    readonly clientSeed: string
    readonly clientSeedFrom: 'player' | 'server' | null
    /** 64 hex digits, null while the seed is still secret. */
    readonly serverSeed: string | null
    readonly scheme: 1 | 2
  }
  readonly table: DrawTable
  /** Null until the opening stands in the log; absent in proofs of the first version. */
  readonly log?: string | null
}

/**
 * `waiting` is a check that cannot be made yet; `unchecked` one that cannot be made here, and that
 * the verdict therefore does not speak of.
 */
export type Verdict = 'passed' | 'failed' | 'waiting' | 'unchecked'
