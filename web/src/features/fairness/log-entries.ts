// The entries of the draw log as they are written, one JSON text each.

import * as z from 'zod/mini'
import type { DrawTable } from './draw-table.ts'

const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/))
const count = z.int().check(z.nonnegative())

const Commitment = z.object({
  type: z.literal('commitment'),
  pairId: z.int(),
  serverSeedHash: hash,
  /** Only pairs of the first scheme name it. */
  scheme: z.optional(z.literal([1, 2])),
})

const Table = z.object({
  type: z.literal('table'),
  tableHash: hash,
  table: z.object({
    packTypeId: z.int(),
    consolationRedCoin: z.optional(count),
    entries: z.array(
      z.object({
        prizeId: z.int(),
        name: z.string(),
        winFrequency: count,
        totalPacks: z.int().check(z.positive()),
        redCoinAmount: count,
        rewardPackTypeId: z.optional(z.nullable(z.int())),
        rewardPackQuantity: z.optional(count),
        limited: z.optional(z.boolean()),
      }),
    ),
  }),
})

/** A table too long for one entry, piece by piece. */
const TablePart = z.object({
  type: z.literal('table'),
  tableHash: hash,
  part: z.int().check(z.positive()),
  parts: z.int().check(z.positive()),
  text: z.string(),
})

const Stock = z.object({
  type: z.literal('stock'),
  prizeId: z.int(),
  delta: z.int(),
  /** Null once the stock has no end. */
  after: z.nullable(count),
})

const Opening = z.object({
  type: z.literal('opening'),
  id: z.int(),
  at: z.string(),
  packTypeId: z.int(),
  tableHash: hash,
  pairId: z.int(),
  nonce: count,
  clientSeedHash: hash,
  prizeId: z.nullable(z.int()),
  soldOutPrizeId: z.nullable(z.int()),
  stockAfter: z.nullable(count),
  redCoinEarned: count,
})

const Reveal = z.object({
  type: z.literal('reveal'),
  pairId: z.int(),
  serverSeed: hash,
  clientSeed: z.string(),
})

/** An entry of the log that this one goes on from, where each stood for a whole request. */
const Carried = z.object({
  type: z.literal('carried'),
  position: z.int(),
  body: z.string(),
  hash,
})

export const LogEntry = z.union([Commitment, Table, TablePart, Stock, Opening, Reveal, Carried])
export type LogEntry = z.infer<typeof LogEntry>
export type OpeningEntry = z.infer<typeof Opening>

/** What a carried entry says. */
export const CarriedRequest = z.object({
  packTypeId: z.int(),
  tableHash: hash,
  serverSeedHash: hash,
  firstNonce: count,
  quantity: count,
  prizeIds: z.array(z.nullable(z.int())),
  previousHash: hash,
})

/** The entry that a text holds; undefined for a text that is none. */
export function entryOf(text: string): LogEntry | undefined {
  try {
    const entry = LogEntry.safeParse(JSON.parse(text))
    return entry.success ? entry.data : undefined
  } catch {
    return undefined
  }
}

/** The table that a text holds; undefined for a text that is none. */
export function tableOf(text: string): DrawTable | undefined {
  try {
    const table = Table.shape.table.safeParse(JSON.parse(text))
    return table.success ? table.data : undefined
  } catch {
    return undefined
  }
}
