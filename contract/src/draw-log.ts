// The public log of all draws, chained by hashes, and how the draws compare with the published
// odds.

import * as z from 'zod/mini'
import { Timestamp } from './answers.ts'
import { endpoint } from './endpoint.ts'
import { drawLogPageDefault, drawLogPageMax } from './limits.ts'
import { pageLimit, wholeNumber } from './values.ts'

/**
 * One opening request. Its hash is the SHA-256 of the UTF-8 text that JSON.stringify makes of all
 * other fields in this order.
 */
export const DrawLogEntry = z.object({
  /** Counts from 1 without gaps. */
  position: z.int(),
  /** Cut to the minute. */
  openingRequestAt: Timestamp,
  packTypeId: z.int(),
  tableHash: z.string(),
  serverSeedHash: z.string(),
  firstNonce: z.int(),
  quantity: z.int(),
  /** The prize of each pack in the order of the nonces; null when nothing was won. */
  prizeIds: z.array(z.nullable(z.int())),
  /** Hash of the entry before; 64 zeros in the first. */
  previousHash: z.string(),
  hash: z.string(),
})
export type DrawLogEntry = z.infer<typeof DrawLogEntry>

const position = wholeNumber({ message: 'Invalid position', min: 0, max: Number.MAX_SAFE_INTEGER })

export const DrawLogQuery = z.object({
  /** Position behind which the answer begins. */
  after: z._default(z.catch(position, 0), 0),
  limit: pageLimit(drawLogPageDefault, drawLogPageMax),
})
export type DrawLogQuery = z.infer<typeof DrawLogQuery>

export const DrawLogResponse = z.object({
  entries: z.array(DrawLogEntry),
  /** The end of the chain: who keeps it can tell later whether anything before was changed. */
  latest: z.nullable(z.object({ position: z.int(), hash: z.string() })),
})
export type DrawLogResponse = z.infer<typeof DrawLogResponse>

export const ObservedPrize = z.object({
  prizeId: z.int(),
  name: z.string(),
  /** Mean of the published chances over the draws, 0 to 1. */
  publishedChance: z.number(),
  /** Packs drawn while the prize stood in the odds table. */
  draws: z.int(),
  observedWins: z.int(),
  /** Draws that landed on the prize while it was sold out. */
  soldOutDraws: z.int(),
  /** 99 % range for the chance that wins and sold-out draws point to. */
  low: z.number(),
  high: z.number(),
  /** True when the published chance lies outside the range. */
  isOutside: z.boolean(),
})
export type ObservedPrize = z.infer<typeof ObservedPrize>

export const ObservedResponse = z.object({
  packTypes: z.array(
    z.object({
      packTypeId: z.int(),
      name: z.string(),
      draws: z.int(),
      prizes: z.array(ObservedPrize),
    }),
  ),
})
export type ObservedResponse = z.infer<typeof ObservedResponse>

export const drawLogContract = {
  list: endpoint({
    method: 'GET',
    path: '/api/fairness/log',
    access: 'public',
    summary: 'The log of all draws from a position on, oldest first, without any names.',
    wire: [],
    query: DrawLogQuery,
    bodyKind: 'none',
    response: DrawLogResponse,
    refusals: [],
    rate: 'read',
  }),
  observed: endpoint({
    method: 'GET',
    path: '/api/fairness/observed',
    access: 'public',
    summary: 'Per pack type and prize the published chance and what the logged draws gave.',
    wire: [],
    bodyKind: 'none',
    response: ObservedResponse,
    refusals: [],
    rate: 'read',
  }),
}
