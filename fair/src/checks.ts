// What a browser checks of an opening the moment it is answered: everything but what only the log
// can tell.

import { bytesOfHex, isHex32 } from './bytes.ts'
import { commitmentOf, faultOfResult, rollsOf, type ToldResult } from './draw.ts'
import type { Hashing } from './hashing.ts'
import { entryAt, tableHash, tableOfText, thresholdsOf } from './odds.ts'

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

/** Why an opening proves nothing, in a sentence. */
export const faultTexts = {
  seed: 'The seed is not the one that the site had committed to.',
  entropy: 'The draw was not made with the random bytes that your browser sent.',
  table: 'The draw was not made from the odds that your browser was shown.',
  result: 'The results are not what the seed, the random bytes and the odds give.',
  pay: 'The RedCoin is not what the odds promise.',
  quantity: 'There are not as many results as packs.',
  index: 'The place in your chain of seeds was used before, or skipped.',
} as const
export type OpeningFault = keyof typeof faultTexts

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
  const seed = seedBehind(asked.commitment, told.serverSeed, hashing)
  if (seed === undefined) return 'seed'
  if (!isHex32(told.nextCommitment) || told.nextCommitment === asked.commitment) return 'seed'
  if (told.chainId !== asked.chainId || told.index !== asked.index) return 'index'
  if (told.entropyFrom !== 'player' || told.entropy !== asked.entropy) return 'entropy'
  if (told.tableHash !== asked.tableHash) return 'table'
  const draw = drawAnew(asked, seed, table, hashing)
  if (draw === undefined) return 'table'
  if (told.results.length !== asked.quantity) return 'quantity'
  for (const [at, roll] of draw.rolls.entries()) {
    const result = told.results[at]
    const fault = result ? faultOfResult(draw.table, draw.thresholds, roll, result) : 'quantity'
    if (fault !== undefined) return fault
  }
  return undefined
}

/**
 * What a request that was refused, failed or never answered would have given, once its seed is
 * known: the prize of each pack, null for none. Undefined when the seed is not the one that was
 * committed to, or the table another one or another pack type's.
 */
export function withheldPrizes(
  asked: AskedOpening,
  serverSeed: string,
  table: string,
  hashing: Hashing,
): (number | null)[] | undefined {
  const seed = seedBehind(asked.commitment, serverSeed, hashing)
  const draw = seed && drawAnew(asked, seed, table, hashing)
  return draw?.rolls.map((roll) => {
    const at = entryAt(draw.thresholds, roll)
    return at === undefined ? null : (draw.table.entries[at]?.prizeId ?? null)
  })
}

/** The bytes of a seed; undefined when it is none, or not the one that was committed to. */
function seedBehind(commitment: string, told: string, hashing: Hashing): Uint8Array | undefined {
  const seed = isHex32(told) ? bytesOfHex(told) : undefined
  return seed && commitmentOf(seed, hashing) === commitment ? seed : undefined
}

/** The rolls of a request under its table; undefined when the text is another table's. */
function drawAnew(asked: AskedOpening, seed: Uint8Array, text: string, hashing: Hashing) {
  const table = tableHash(text, hashing) === asked.tableHash ? tableOfText(text) : undefined
  if (table === undefined || table.packTypeId !== asked.packTypeId) return undefined
  const terms = { seed, entropy: asked.entropy, tableHash: asked.tableHash }
  const rolls = rollsOf(terms, asked.quantity, hashing)
  return { table, thresholds: thresholdsOf(table.entries), rolls }
}
