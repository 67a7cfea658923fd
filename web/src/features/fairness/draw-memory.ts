// What this browser remembers of its openings: what it asked with, what it was told, and which
// chain it was shown. All tabs share it, and it outlives a logout.

import type { DrawProof } from '@redpack/contract'
import type { AskedOpening } from '@redpack/fair/checks'
import { tableOfText } from '@redpack/fair/odds'
import { browserMemory } from '../../lib/browser-memory.ts'

/** What came of a request: `moved` is 409 commitment_moved, `harmless` says nothing of the draw. */
export type Outcome = 'sent' | 'proven' | 'alarmed' | 'refused' | 'moved' | 'harmless'

export interface RememberedRequest extends AskedOpening {
  /** The idempotency key. */
  readonly key: string
  /** Epoch milliseconds. */
  readonly sentAt: number
  readonly outcome: Outcome
  /** What the server answered, to be compared with the log. */
  readonly told?: {
    readonly proof: DrawProof
    readonly results: readonly (readonly [prizeId: number | null, redCoinEarned: number])[]
  }
  /** True once its entry in the public log was seen to say the same. */
  readonly isLogged?: boolean
  /** What a withheld request would have given, by prize id; null for no prize. */
  readonly gave?: readonly (number | null)[]
}

export interface HeldChain {
  readonly chainId: number
  readonly index: number
  readonly commitment: string
  /** Epoch milliseconds of the last look at it. */
  readonly seenAt: number
}

/** A seed that became known, with its place. */
export interface KnownSeed {
  readonly chainId: number
  readonly index: number
  readonly serverSeed: string
}

export interface DrawMemory {
  /** Newest first. */
  readonly requests: readonly RememberedRequest[]
  readonly chain: HeldChain | null
  /** Seeds that were told without an opening of this browser. */
  readonly seeds: readonly KnownSeed[]
}

const requestsMax = 500
const nothing: DrawMemory = { requests: [], chain: null, seeds: [] }
const rowOf = (userId: number) => `draws/${userId}`

/** What is remembered of one user; nothing where the row is damaged. */
export async function readMemory(userId: number): Promise<DrawMemory> {
  return memoryOf(await browserMemory.read(rowOf(userId)))
}

function memoryOf(row: unknown): DrawMemory {
  const isMemory = typeof row === 'object' && row !== null && 'requests' in row
  return isMemory ? { ...nothing, ...(row as DrawMemory) } : nothing
}

/** Changes the memory of one user in one step, whichever tab does it. */
export async function changeMemory(
  userId: number,
  next: (before: DrawMemory) => DrawMemory,
): Promise<void> {
  await browserMemory.change(rowOf(userId), (row) => {
    const memory = next(memoryOf(row))
    return {
      ...memory,
      requests: memory.requests.slice(0, requestsMax),
      seeds: memory.seeds.slice(0, requestsMax),
    }
  })
}

/** Notes what came of one request. */
export async function noteRequest(
  userId: number,
  key: string,
  change: Partial<RememberedRequest>,
): Promise<void> {
  await changeMemory(userId, (memory) => ({
    ...memory,
    requests: memory.requests.map((one) => (one.key === key ? { ...one, ...change } : one)),
  }))
}

const tableRow = (hash: string) => `table/${hash}`

/** Keeps the text of an odds table that was asked under. */
export async function keepTable(hash: string, text: string): Promise<void> {
  await browserMemory.change(tableRow(hash), (row) => row ?? text)
}

export async function keptTable(hash: string): Promise<string | undefined> {
  const row = await browserMemory.read(tableRow(hash))
  return typeof row === 'string' ? row : undefined
}

/** The name of a prize by a kept table. */
export async function prizeNameIn(hash: string, prizeId: number): Promise<string> {
  const table = tableOfText((await keptTable(hash)) ?? '')
  return table?.entries.find((entry) => entry.prizeId === prizeId)?.name ?? `Prize ${prizeId}`
}
