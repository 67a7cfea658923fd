// The calls by which a player checks draws: odds, draw chain, openings, proofs, tables.

import * as z from 'zod/mini'
import { Pagination, Timestamp } from './answers.ts'
import { DeliveryTerms } from './delivery-terms.ts'
import { endpoint } from './endpoint.ts'
import { fairnessPageDefault, fairnessPageMax } from './limits.ts'
import { hex32, LongIdParams, PageNumber, pageLimit } from './values.ts'

const shareFields = {
  prizeId: z.int(),
  name: z.string(),
  winFrequency: z.int(),
  totalPacks: z.int(),
}
const payFields = {
  redCoinAmount: z.int(),
  /** Pack type of the packs that a win adds; null for none. */
  rewardPackTypeId: z.nullable(z.int()),
  rewardPackQuantity: z.int(),
  /** True when the prize has a stock that can run out. */
  limited: z.boolean(),
  /** True if a win gives a code, which is not sent; otherwise absent in a table. */
  deliversCodes: z.optional(z.boolean()),
}

export const OddsEntry = z.object({
  ...shareFields,
  /** Real chance from 0 to 1, after scaling. */
  chance: z.number(),
  soldOut: z.boolean(),
  ...payFields,
  /** Null if nothing is sent. Always present. */
  delivery: z.optional(z.nullable(DeliveryTerms)),
})
export type OddsEntry = z.infer<typeof OddsEntry>

export const OddsResponse = z.object({
  packTypeId: z.int(),
  tableHash: z.string(),
  scaled: z.boolean(),
  entries: z.array(OddsEntry),
  noPrizeChance: z.number(),
  consolationRedCoin: z.int(),
})
export type OddsResponse = z.infer<typeof OddsResponse>

export const Hex32 = hex32('Invalid hash')

/** Who made the entropy of a draw: the player's browser, or the server if none was sent. */
export const EntropyFrom = z.enum(['player', 'server'])

/** A place in a draw chain: its openings count from 0. */
const placeFields = { chainId: z.int(), index: z.int() }

export const ChainResponse = z.object({
  ...placeFields,
  /** SHA-256 of the server seed that the next opening uses. */
  commitment: Hex32,
  /** Unused seeds of chains of the last 30 days, newest first; null if the key was lost. */
  ended: z.array(z.object({ ...placeFields, serverSeed: z.nullable(Hex32) })),
})
export type ChainResponse = z.infer<typeof ChainResponse>

export const FairOpening = z.object({
  id: z.int(),
  createdAt: Timestamp,
  packTypeId: z.int(),
  prizeId: z.nullable(z.int()),
  /** True when the draw landed on a prize whose stock was 0. */
  soldOut: z.boolean(),
  soldOutPrizeId: z.nullable(z.int()),
  redCoinEarned: z.int(),
  requestId: z.string(),
  /** Place of the pack in its request, from 0. */
  position: z.int(),
  tableHash: Hex32,
  commitment: Hex32,
  serverSeed: Hex32,
  entropy: Hex32,
  entropyFrom: EntropyFrom,
  ...placeFields,
})
export type FairOpening = z.infer<typeof FairOpening>

export const FairOpeningsResponse = z.object({
  openings: z.array(FairOpening),
  pagination: Pagination,
})

/** What a draw is made from; its hash covers exactly these keys in this order. */
export const OddsTable = z.object({
  packTypeId: z.int(),
  consolationRedCoin: z.int(),
  entries: z.array(z.object({ ...shareFields, ...payFields })),
})
export type OddsTable = z.infer<typeof OddsTable>

export const OpeningProof = z.object({
  version: z.literal(1),
  opening: FairOpening,
  table: OddsTable,
  /** Its entry in the public log as a C2SP tlog-proof; null until appended. */
  log: z.nullable(z.string()),
  /** The same for each delivery step so far of what this pack won, oldest first. */
  steps: z.optional(z.array(z.string())),
})
export type OpeningProof = z.infer<typeof OpeningProof>

export const fairnessContract = {
  odds: endpoint('viewer', 'GET', '/api/packs/types/{id}/odds', {
    summary: 'Returns the real chances of one pack type.',
    response: OddsResponse,
  }),
  chain: endpoint('viewer', 'GET', '/api/fairness', {
    summary: "Returns what the caller's next opening uses, and the unused seeds of ended chains.",
    response: ChainResponse,
  }),
  openings: endpoint('viewer', 'GET', '/api/fairness/openings', {
    summary: "Lists the caller's openings with all that redraws them, newest first.",
    query: z.object({ page: PageNumber, limit: pageLimit(fairnessPageDefault, fairnessPageMax) }),
    response: FairOpeningsResponse,
  }),
  proof: endpoint('viewer', 'GET', '/api/fairness/openings/{id}/proof', {
    summary: 'Returns the proof file: one opening with its odds table.',
    params: LongIdParams,
    response: OpeningProof,
  }),
  table: endpoint('public', 'GET', '/api/fairness/tables/{hash}', {
    summary: 'Returns the odds table with the given hash.',
    params: z.object({ hash: hex32('Invalid table hash') }),
    response: OddsTable,
    domainErrors: ['not_found'],
  }),
}
