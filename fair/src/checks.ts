// What a browser checks of an opening the moment it is answered: everything but what only the log
// can tell.

import { bytesOfHex, isHex32 } from './bytes.ts'
import { commitmentOf, faultOfResult, rollsOf, type ToldResult } from './draw.ts'
import type { Hashing } from './hashing.ts'
import { tableHash, tableOfText, thresholdsOf } from './odds.ts'

/** What the browser held and sent before it knew anything of the draw. */
export interface AskedOpening {
  readonly commitment: string
  readonly chainId: number
  readonly index: number
  readonly entropy: string
  readonly tableHash: string
  readonly packTypeId: number
  readonly quantity: number
}

/** What the server answered. */
export interface ToldOpening {
  readonly chainId: number
  readonly index: number
  readonly serverSeed: string
  readonly entropy: string
  readonly entropyFrom: string
  readonly tableHash: string
  readonly nextCommitment: string
  readonly results: readonly ToldResult[]
}

/** Why an opening proves nothing. */
export type OpeningFault = 'seed' | 'entropy' | 'table' | 'result' | 'pay' | 'quantity' | 'index'

/**
 * The first thing that does not agree; undefined when the opening is proven. `table` is the text of
 * the table that the browser asked under.
 */
export function faultOfOpening(
  asked: AskedOpening,
  told: ToldOpening,
  table: string,
  hashing: Hashing,
): OpeningFault | undefined {
  const seed = isHex32(told.serverSeed) ? bytesOfHex(told.serverSeed) : undefined
  if (seed === undefined || commitmentOf(seed, hashing) !== asked.commitment) return 'seed'
  if (!isHex32(told.nextCommitment) || told.nextCommitment === asked.commitment) return 'seed'
  if (told.chainId !== asked.chainId || told.index !== asked.index) return 'index'
  if (told.entropyFrom !== 'player' || told.entropy !== asked.entropy) return 'entropy'
  if (told.tableHash !== asked.tableHash) return 'table'
  const known = tableHash(table, hashing) === asked.tableHash ? tableOfText(table) : undefined
  if (known === undefined || known.packTypeId !== asked.packTypeId) return 'table'
  if (told.results.length !== asked.quantity) return 'quantity'
  const thresholds = thresholdsOf(known.entries)
  const terms = { seed, entropy: asked.entropy, tableHash: asked.tableHash }
  for (const [at, roll] of rollsOf(terms, asked.quantity, hashing).entries()) {
    const result = told.results[at]
    const fault = result ? faultOfResult(known, thresholds, roll, result) : 'quantity'
    if (fault !== undefined) return fault
  }
  return undefined
}

/**
 * What a request that was refused, failed or never answered would have given, once its seed is
 * known: the prize of each pack, null for none. Undefined when the seed is not the one that was
 * committed to, or the table another one.
 */
export function withheldPrizes(
  asked: AskedOpening,
  serverSeed: string,
  table: string,
  hashing: Hashing,
): (number | null)[] | undefined {
  const seed = isHex32(serverSeed) ? bytesOfHex(serverSeed) : undefined
  if (seed === undefined || commitmentOf(seed, hashing) !== asked.commitment) return undefined
  const known = tableHash(table, hashing) === asked.tableHash ? tableOfText(table) : undefined
  if (known === undefined) return undefined
  const thresholds = thresholdsOf(known.entries)
  const terms = { seed, entropy: asked.entropy, tableHash: asked.tableHash }
  return rollsOf(terms, asked.quantity, hashing).map((roll) => {
    const at = thresholds.findIndex((end) => roll < end)
    return known.entries[at]?.prizeId ?? null
  })
}
