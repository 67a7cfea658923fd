// The draw of one opening request: the odds table with its exact text and hash, the rolls, what
// each pack gives, and whether what was told is what the rolls give.

import {
  bytesOfHex,
  type Check,
  fits,
  type Hashing,
  hexOf,
  isCount,
  isHex32,
  isId,
  isText,
  listOf,
  ordered,
  orNull,
  parsed,
  type Shaped,
  shaped,
  utf8,
} from './bytes.ts'

/** One prize of a table, with everything that winning it pays. */
const entryShape = {
  prizeId: isId,
  name: isText,
  /** Wins per `totalPacks` packs; more than `totalPacks` counts as all of them. */
  winFrequency: isCount,
  totalPacks: isId,
  /** RedCoin that the prize pays, 0 for a physical one. */
  redCoinAmount: isCount,
  /** Pack type that a win adds packs of; null exactly when `rewardPackQuantity` is 0. */
  rewardPackTypeId: orNull(isId),
  rewardPackQuantity: isCount,
  limited: (value: unknown): value is boolean => typeof value === 'boolean',
}
export type TableEntry = Shaped<typeof entryShape> & {
  /** True for a win that is a code, after which nothing is sent; the text names no other. */
  readonly deliversCodes?: boolean | undefined
}

export type OddsEntry = Omit<
  TableEntry,
  'rewardPackTypeId' | 'rewardPackQuantity' | 'limited' | 'deliversCodes'
>

/** All that decides what an opened pack pays, but the stock. */
const tableShape = {
  packTypeId: isId,
  consolationRedCoin: isCount,
  /** In ascending order of `prizeId`. */
  entries: listOf(shaped(entryShape) as Check<TableEntry>),
}
export type OddsTable = Shaped<typeof tableShape>

/** Rolls are whole numbers from 0 to `rollRange` - 1. */
export const rollRange = 2 ** 52

export function orderedTable(table: OddsTable): OddsTable {
  const entries = table.entries.map((entry) => ({
    ...ordered<Shaped<typeof entryShape>>(entryShape, entry),
    ...(entry.deliversCodes === true && { deliversCodes: true }),
  }))
  return ordered(tableShape, { ...table, entries })
}

/** What the hash is taken over: exactly these keys in this order, without white space. */
export function tableText(table: OddsTable): string {
  return JSON.stringify(orderedTable(table))
}

/** SHA-256 of the UTF-8 of a table's text, in lower-case hex. */
export function tableHash(text: string, { sha256 }: Pick<Hashing, 'sha256'>): string {
  return hexOf(sha256(utf8(text)))
}

/** The table that a text is; undefined when it is none, or not in its one exact form. */
export function tableOfText(text: string): OddsTable | undefined {
  const value = parsed(text)
  return isTable(value) && tableText(value) === text ? value : undefined
}

/** Whether a value is a table: ids ascend, and a pack type is named exactly where packs are won. */
export function isTable(value: unknown): value is OddsTable {
  return (
    fits<OddsTable>(tableShape, value) &&
    value.entries.every(
      ({ prizeId, rewardPackTypeId, rewardPackQuantity }, at) =>
        prizeId > (value.entries[at - 1]?.prizeId ?? 0) &&
        (rewardPackTypeId !== null || rewardPackQuantity === 0),
    )
  )
}

export type Share = Pick<TableEntry, 'winFrequency' | 'totalPacks'>

/**
 * `T_i = floor(2^52 * c_i)` for the exact cumulative shares c_i (docs/economy.md, The roll).
 * Prize i is drawn when `T_(i-1) <= roll < T_i`. Exact in a JavaScript number.
 */
export function thresholdsOf(entries: readonly Share[]): number[] {
  const { sums, above, below } = exactSums(entries)
  const [scaleAbove, scaleBelow] = above > below ? [below, above] : [1n, 1n]
  return sums.map((sum) =>
    Number((BigInt(rollRange) * sum.above * scaleAbove) / (sum.below * scaleBelow)),
  )
}

/** The chance of each entry as people read it, 0 to 1 after scaling; draws use the thresholds. */
export function chancesOf(entries: readonly Share[]): { chances: number[]; scaled: boolean } {
  const { above, below } = exactSums(entries)
  const scaled = above > below
  const shares = entries.map(({ winFrequency, totalPacks }) =>
    Math.min(1, winFrequency / totalPacks),
  )
  const sum = shares.reduce((total, share) => total + share, 0)
  return { chances: scaled ? shares.map((share) => share / sum) : shares, scaled }
}

/** Cumulative shares as fractions in lowest terms, so that long tables stay quick; and the last. */
function exactSums(entries: readonly Share[]) {
  let [above, below] = [0n, 1n]
  const sums = entries.map(({ winFrequency, totalPacks }) => {
    const packs = BigInt(totalPacks)
    above = above * packs + BigInt(Math.min(winFrequency, totalPacks)) * below
    below *= packs
    const divisor = greatestCommonDivisor(above, below)
    above /= divisor
    below /= divisor
    return { above, below }
  })
  return { sums, above, below }
}

function greatestCommonDivisor(one: bigint, other: bigint): bigint {
  let [a, b] = [one, other]
  while (b !== 0n) [a, b] = [b, a % b]
  return a
}

/** Index of the entry whose share holds a roll, undefined when none does. */
export function entryAt(thresholds: readonly number[], roll: number): number | undefined {
  let low = 0
  let high = thresholds.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (roll < (thresholds[middle] ?? 0)) high = middle
    else low = middle + 1
  }
  return low < thresholds.length ? low : undefined
}

const rollHexDigits = 13

/** The commitment to a server seed: its SHA-256 in lower-case hex. */
export function commitmentOf(seed: Uint8Array, { sha256 }: Pick<Hashing, 'sha256'>): string {
  return hexOf(sha256(seed))
}

export interface RollTerms {
  readonly seed: Uint8Array
  /** 32 bytes of the browser, or of the server for who sent none, in lower-case hex. */
  readonly entropy: string
  readonly tableHash: string
}

/** Pack by pack the first 52 bits of `HMAC-SHA256(seed, entropy ":" i ":" tableHash)`, i from 0. */
export function rollsOf(
  { seed, entropy, tableHash }: RollTerms,
  quantity: number,
  { hmacSha256 }: Pick<Hashing, 'hmacSha256'>,
): number[] {
  return Array.from({ length: quantity }, (_, index) => {
    const digest = hmacSha256(seed, utf8(`${entropy}:${index}:${tableHash}`))
    return Number.parseInt(hexOf(digest.subarray(0, 7)).slice(0, rollHexDigits), 16)
  })
}

/** What one opened pack held. At most one of the two is set. */
export interface Drawn {
  /** Index into the table of the prize that was won. */
  readonly won: number | undefined
  /** Index of the prize that was drawn while its stock was 0; the pack then counts as losing. */
  readonly soldOut: number | undefined
}

export interface DrawResult {
  readonly drawn: readonly Drawn[]
  /** Of each limited prize that was drawn, in the order of the table. */
  readonly stockUses: readonly {
    readonly index: number
    readonly taken: number
    /** True when a draw found the prize sold out: the outcome then depends on the exact stock. */
    readonly ranOut: boolean
  }[]
}

/**
 * Draws one pack per roll. `stock` holds the units left by index into the table, undefined for no
 * limit; a prize at 0 gives nothing, and passes its share to no other.
 */
export function drawPacks(
  thresholds: readonly number[],
  stock: readonly (number | undefined)[],
  rolls: readonly number[],
): DrawResult {
  const left = [...stock]
  const uses: { taken: number; ranOut: boolean }[] = []
  const drawn = rolls.map((roll): Drawn => {
    const index = entryAt(thresholds, roll)
    const units = index === undefined ? undefined : left[index]
    if (index === undefined || units === undefined) return { won: index, soldOut: undefined }
    const use = uses[index] ?? { taken: 0, ranOut: false }
    uses[index] = use
    if (units < 1) {
      use.ranOut = true
      return { won: undefined, soldOut: index }
    }
    use.taken += 1
    left[index] = units - 1
    return { won: index, soldOut: undefined }
  })
  // In the order of their indexes, as `flatMap` passes over what is not there.
  return { drawn, stockUses: uses.flatMap((use, index) => ({ index, ...use })) }
}

export interface ToldResult {
  readonly prizeId: number | null
  /** Drawn while its stock was 0. The answer to an opening leaves it out; log and proof tell it. */
  readonly soldOutPrizeId?: number | null | undefined
  readonly redCoinEarned: number
}

export type ResultFault = 'result' | 'pay'

/**
 * Compares what was told of a pack with what its roll gives under a table. Whether a stock was
 * really at 0 only the log can tell; a prize without an end to its stock is never sold out.
 */
export function faultOfResult(
  table: OddsTable,
  thresholds: readonly number[],
  roll: number,
  { prizeId, soldOutPrizeId, redCoinEarned }: ToldResult,
): ResultFault | undefined {
  const entry = table.entries[entryAt(thresholds, roll) ?? -1]
  const noneSoldOut = (soldOutPrizeId ?? null) === null
  const isWon = entry !== undefined && prizeId === entry.prizeId && noneSoldOut
  const isSoldOut =
    entry?.limited === true &&
    prizeId === null &&
    (soldOutPrizeId === undefined || soldOutPrizeId === entry.prizeId)
  const isNothing = entry === undefined && prizeId === null && noneSoldOut
  if (!isWon && !isSoldOut && !isNothing) return 'result'
  const due = isWon ? entry.redCoinAmount : table.consolationRedCoin
  return redCoinEarned === due ? undefined : 'pay'
}

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

export interface ToldOpening
  extends Pick<AskedOpening, 'chainId' | 'index' | 'entropy' | 'tableHash'> {
  readonly serverSeed: string
  readonly entropyFrom: string
  readonly nextCommitment: string
  readonly results: readonly ToldResult[]
}

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

/** The first thing that does not agree. `table` is the text of the table that was asked under. */
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
export function seedBehind(commitment: string, told: string, hashing: Pick<Hashing, 'sha256'>) {
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
