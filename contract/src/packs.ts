// Holding and opening packs, and what a player sees of pack types and openings (W-008 to W-012).

import * as z from 'zod/mini'
import { NamedRow, Timestamp } from './answers.ts'
import { DeliveryTerms } from './delivery-terms.ts'
import { endpoint } from './endpoint.ts'
import { EntropyFrom, Hex32 } from './fairness.ts'
import { packsPerOpenMax, packsPerOpenMin } from './limits.ts'
import { hex32, idNumber, requestObject, wholeNumber } from './values.ts'

export const StatsResponse = z.object({ totalPacks: z.int(), packsOpened: z.int() })
export type StatsResponse = z.infer<typeof StatsResponse>

export const Opening = z.object({
  id: z.int(),
  createdAt: Timestamp,
  prize: z.nullable(z.object({ id: z.int(), name: z.string(), redCoinAmount: z.int() })),
  redCoinEarned: z.int(),
  packType: NamedRow,
})
export type Opening = z.infer<typeof Opening>

/** Hash of the odds table that the next draw of a pack type is made from. */
export const OddsHash = hex32('Invalid odds hash')

export const PackType = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  icon: z.string(),
  color: z.string(),
  imageUrl: z.nullable(z.string()),
  imageData: z.nullable(z.string()),
  imageType: z.nullable(z.string()),
  oddsHash: OddsHash,
})
export type PackType = z.infer<typeof PackType>

/** How many unopened packs of one type the caller holds. Only the type list has uploaded images. */
export const Holding = z.object({
  packTypeId: z.int(),
  quantity: z.int(),
  oddsHash: OddsHash,
  packType: z.omit(PackType, { imageData: true, imageType: true, oddsHash: true }),
})
export type Holding = z.infer<typeof Holding>

const quantityRange = `Quantity must be between ${packsPerOpenMin} and ${packsPerOpenMax}`

export const OpenPacksRequest = requestObject({
  packTypeId: idNumber('Please select a pack type'),
  quantity: wholeNumber({ message: quantityRange, min: packsPerOpenMin, max: packsPerOpenMax }),
  /** The odds that the player saw: if others are in force now, nothing is opened. */
  oddsHash: z.optional(OddsHash),
  /** 32 fresh random bytes from the player's browser; if absent, the server makes them. */
  entropy: z.optional(hex32('Entropy must be 64 lower-case hex digits')),
  /** The commitment that the player saw: if it has changed, nothing is opened. */
  commitment: z.optional(hex32('Invalid commitment')),
})
export type OpenPacksRequest = z.infer<typeof OpenPacksRequest>

export const WonPrize = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  imageData: z.nullable(z.string()),
  imageType: z.nullable(z.string()),
  /** Address of the picture; null if the answer contains it or there is none. Always sent. */
  imageUrl: z.optional(z.nullable(z.string())),
  claimInstructions: z.string(),
  redCoinAmount: z.int(),
  /** Null if nothing is sent. Always present; absent in old stored answers. */
  delivery: z.optional(z.nullable(DeliveryTerms)),
})
export type WonPrize = z.infer<typeof WonPrize>

export const OpeningResult = z.object({
  won: z.boolean(),
  prizeId: z.nullable(z.int()),
  prize: z.nullable(WonPrize),
  claimId: z.nullable(z.string()),
  redCoinEarned: z.int(),
})
export type OpeningResult = z.infer<typeof OpeningResult>

/** Lets the player's browser draw the packs of a request again. */
export const DrawProof = z.object({
  requestId: z.string(),
  chainId: z.int(),
  index: z.int(),
  commitment: Hex32,
  serverSeed: Hex32,
  entropy: Hex32,
  entropyFrom: EntropyFrom,
  tableHash: Hex32,
  nextCommitment: Hex32,
})
export type DrawProof = z.infer<typeof DrawProof>

export const OpenPacksResponse = z.object({
  results: z.array(OpeningResult),
  proof: DrawProof,
  updatedBalance: z.int(),
})
export type OpenPacksResponse = z.infer<typeof OpenPacksResponse>

export const packsContract = {
  stats: endpoint('viewer', 'GET', '/api/user/stats', {
    summary: 'Counts the packs that the caller holds and has opened.',
    response: StatsResponse,
  }),
  openings: endpoint('viewer', 'GET', '/api/user/openings', {
    summary: "Lists the caller's latest openings, newest first.",
    response: z.array(Opening),
  }),
  holdings: endpoint('viewer', 'GET', '/api/user/packs', {
    summary: "Lists the caller's unopened packs by pack type.",
    response: z.array(Holding),
  }),
  types: endpoint('viewer', 'GET', '/api/packs/types', {
    summary: 'Lists every pack type.',
    response: z.array(PackType),
  }),
  open: endpoint('viewer', 'POST', '/api/packs/open', {
    changes: ['user', 'holdings', 'chain', 'leaderboard', 'claims'],
    summary: 'Opens packs of one type and returns what each held.',
    body: OpenPacksRequest,
    response: OpenPacksResponse,
    domainErrors: ['not_found', 'insufficient_packs', 'odds_changed', 'commitment_moved'],
    idempotent: true,
    stoppedBySuspension: true,
    rate: 'spend',
  }),
}
