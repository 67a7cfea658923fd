// Draws one opened pack again from its proof, with the browser's own cryptography and nothing else.

/** One prize of the table a draw was made from. */
export interface ProofEntry {
  readonly prizeId: number
  readonly name: string
  readonly winFrequency: number
  readonly totalPacks: number
  readonly redCoinAmount: number
}

/** What has to be known about one opened pack to draw it again. */
export interface DrawProof {
  readonly opening: {
    readonly packTypeId: number
    /** The prize that was won, null for none. */
    readonly prizeId: number | null
    /** True when the draw landed on a prize whose stock was 0: the pack then counts as losing. */
    readonly soldOut: boolean
    readonly redCoinEarned: number
    readonly nonce: number
    readonly tableHash: string
    readonly serverSeedHash: string
    readonly clientSeed: string
    /** 64 hex digits, null while the seed is still secret. */
    readonly serverSeed: string | null
  }
  readonly table: { readonly packTypeId: number; readonly entries: readonly ProofEntry[] }
}

/** `waiting` is a check that cannot be made while the server seed is secret. */
export type Verdict = 'passed' | 'failed' | 'waiting'

/** The checks, in the order in which they build on one another. */
export const checkNames = ['table', 'commitment', 'roll', 'outcome'] as const
export type CheckName = (typeof checkNames)[number]

/** The share of rolls that draws one prize: `from` included, `to` excluded. */
export interface RollRange {
  readonly entry: ProofEntry
  readonly from: bigint
  readonly to: bigint
}

export interface Verification {
  /** Failed when any check failed, else waiting when any is waiting. */
  readonly verdict: Verdict
  readonly checks: Readonly<Record<CheckName, Verdict>>
  /** SHA-256 of the table as it was computed here. */
  readonly tableHash: string
  /** Ranges of the prizes in the table's order, empty for a table that is none. */
  readonly ranges: readonly RollRange[]
  /** SHA-256 of the server seed as it was computed here, null while it is secret. */
  readonly serverSeedHash: string | null
  /** The whole HMAC in hex, null while the server seed is secret. */
  readonly digest: string | null
  /** The first 52 bits of the digest, null while the server seed is secret. */
  readonly roll: bigint | null
  /** The entry whose range holds the roll; null for none, undefined while it is unknown. */
  readonly drawn: ProofEntry | null | undefined
}

/** Rolls are whole numbers from 0 to 2^52 - 1. */
export const rollCount = 2n ** 52n
const rollHexDigits = 13

const seedPattern = /^[0-9a-f]{64}$/

/**
 * Checks that the odds table is the one the opening names, that the revealed server seed is the one
 * committed to, and that seeds and nonce draw exactly the outcome that was paid.
 * The scheme: `HMAC-SHA256(server seed, clientSeed + ":" + nonce)`, of which the first 13 hex
 * digits are compared with the exact cumulative shares of the table (docs/economy.md).
 * @throws when the browser offers no cryptography, as on a page without a secure connection
 */
export async function verifyProof(proof: DrawProof): Promise<Verification> {
  const { opening, table } = proof
  const tableHash = await sha256(new TextEncoder().encode(canonicalTable(table)))
  const ranges = isTable(table) ? rollRanges(table.entries) : []
  const isSameTable =
    isTable(table) && tableHash === opening.tableHash && table.packTypeId === opening.packTypeId
  const tableCheck = isSameTable ? 'passed' : 'failed'
  if (opening.serverSeed === null) {
    const waiting = { commitment: 'waiting', roll: 'waiting', outcome: 'waiting' } as const
    const known = { serverSeedHash: null, digest: null, roll: null, drawn: undefined }
    return verification({ table: tableCheck, ...waiting }, { tableHash, ranges, ...known })
  }
  const isSeed = seedPattern.test(opening.serverSeed)
  const seed = isSeed ? bytesOf(opening.serverSeed) : new Uint8Array()
  const serverSeedHash = await sha256(seed)
  const isCommitted = isSeed && serverSeedHash === opening.serverSeedHash
  const digest = isSeed ? await hmac(seed, `${opening.clientSeed}:${opening.nonce}`) : null
  const roll = digest === null ? null : BigInt(`0x${digest.slice(0, rollHexDigits)}`)
  const drawn = roll === null ? undefined : drawnAt(ranges, roll)
  const isRightNonce = Number.isSafeInteger(opening.nonce) && opening.nonce >= 0
  return verification(
    {
      table: tableCheck,
      commitment: isCommitted ? 'passed' : 'failed',
      roll: roll !== null && isRightNonce ? 'passed' : 'failed',
      outcome: drawn !== undefined && isOutcomeOf(drawn, opening) ? 'passed' : 'failed',
    },
    { tableHash, ranges, serverSeedHash, digest, roll, drawn },
  )
}

function verification(
  checks: Verification['checks'],
  found: Omit<Verification, 'verdict' | 'checks'>,
): Verification {
  const verdicts = Object.values(checks)
  const worst = (['failed', 'waiting'] as const).find((verdict) => verdicts.includes(verdict))
  return { verdict: worst ?? 'passed', checks, ...found }
}

/** Whether a draw is what the opening says: the prize won, one that was sold out, or none. */
function isOutcomeOf(drawn: ProofEntry | null, opening: DrawProof['opening']): boolean {
  if (drawn === null) return opening.prizeId === null && !opening.soldOut
  if (opening.soldOut) return opening.prizeId === null
  return drawn.prizeId === opening.prizeId && drawn.redCoinAmount === opening.redCoinEarned
}

/** The entry whose range holds a roll, null when none does. */
export function drawnAt(ranges: readonly RollRange[], roll: bigint): ProofEntry | null {
  return ranges.find(({ from, to }) => from <= roll && roll < to)?.entry ?? null
}

/** The text the table's hash is taken over: these keys in this order, no white space. */
export function canonicalTable({ packTypeId, entries }: DrawProof['table']): string {
  return JSON.stringify({
    packTypeId,
    entries: entries.map(({ prizeId, name, winFrequency, totalPacks, redCoinAmount }) => ({
      prizeId,
      name,
      winFrequency,
      totalPacks,
      redCoinAmount,
    })),
  })
}

/** Prizes in ascending order of their ids, each with a share that can be computed. */
function isTable({ entries }: DrawProof['table']): boolean {
  return entries.every(
    ({ prizeId, winFrequency, totalPacks }, index) =>
      Number.isSafeInteger(winFrequency) &&
      Number.isSafeInteger(totalPacks) &&
      winFrequency >= 0 &&
      totalPacks > 0 &&
      prizeId > (entries[index - 1]?.prizeId ?? Number.NEGATIVE_INFINITY),
  )
}

/**
 * The range of rolls of each prize: `T_i = floor(2^52 * c_i)` for the exact cumulative shares c_i
 * of min(1, winFrequency / totalPacks), scaled to end at 1 when their sum is above 1.
 */
export function rollRanges(entries: readonly ProofEntry[]): RollRange[] {
  // All shares over one common denominator, so that every sum is a sum of whole numbers.
  const whole = entries.reduce((product, { totalPacks }) => product * BigInt(totalPacks), 1n)
  let sum = 0n
  const sums = entries.map(({ winFrequency, totalPacks }) => {
    sum += (whole / BigInt(totalPacks)) * BigInt(Math.min(winFrequency, totalPacks))
    return sum
  })
  const denominator = sum > whole ? sum : whole
  let from = 0n
  return entries.map((entry, index) => {
    const to = (rollCount * (sums[index] ?? 0n)) / denominator
    const range = { entry, from, to }
    from = to
    return range
  })
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

function hexOf(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** SHA-256 in lower-case hex. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return hexOf(await crypto.subtle.digest('SHA-256', bytes))
}

async function hmac(key: Uint8Array<ArrayBuffer>, message: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign'])
  return hexOf(await crypto.subtle.sign('HMAC', imported, new TextEncoder().encode(message)))
}
