// The calls with which a player checks draws: odds, seeds, openings, proofs and odds tables.

import * as z from 'zod/mini'
import { Pagination, Timestamp } from './answers.ts'
import { endpoint } from './endpoint.ts'
import { clientSeedMax, fairnessPageDefault, fairnessPageMax } from './limits.ts'
import { IdParams, LongIdParams, PageNumber, pageLimit, requestObject } from './values.ts'

export const OddsEntry = z.object({
  prizeId: z.int(),
  name: z.string(),
  winFrequency: z.int(),
  totalPacks: z.int(),
  /** Real chance from 0 to 1, after scaling. */
  chance: z.number(),
  soldOut: z.boolean(),
  redCoinAmount: z.int(),
  /** Pack type that a win adds packs of, null when it adds none. */
  rewardPackTypeId: z.nullable(z.int()),
  rewardPackQuantity: z.int(),
  /** True when the prize has a stock that can run out. */
  limited: z.boolean(),
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

/**
 * Who chose a client seed: the player's browser, or the server in place of one that never did. Null
 * for pairs from before this was written down.
 */
export const ClientSeedFrom = z.nullable(z.enum(['player', 'server']))

/** How rolls follow from seeds: 1 without and 2 with the hash of the odds table. */
export const Scheme = z.union([z.literal(1), z.literal(2)])

export const ActiveSeedPair = z.object({
  id: z.int(),
  serverSeedHash: z.string(),
  clientSeed: z.string(),
  clientSeedFrom: ClientSeedFrom,
  /** The nonce that the next opened pack uses. */
  nonce: z.int(),
  scheme: Scheme,
})
export type ActiveSeedPair = z.infer<typeof ActiveSeedPair>

export const SeedsResponse = z.object({
  active: ActiveSeedPair,
  next: z.object({ serverSeedHash: z.string() }),
})
export type SeedsResponse = z.infer<typeof SeedsResponse>

/** 1 to 64 printable ASCII characters other than the colon, which parts the seed from the nonce. */
export const clientSeedPattern = new RegExp(`^[\\x20-\\x39\\x3b-\\x7e]{1,${clientSeedMax}}$`)
const clientSeedMessage = `Client seed must be 1 to ${clientSeedMax} printable characters without ":"`

export const ClientSeed = z
  .string({ error: clientSeedMessage })
  .check(z.regex(clientSeedPattern, { error: clientSeedMessage }))

export const ChangeClientSeedRequest = requestObject({ clientSeed: ClientSeed })
export type ChangeClientSeedRequest = z.infer<typeof ChangeClientSeedRequest>

export const RotateSeedsRequest = requestObject({ clientSeed: z.optional(ClientSeed) })

export const RotateSeedsResponse = z.object({
  revealed: z.object({
    id: z.int(),
    serverSeed: z.string(),
    serverSeedHash: z.string(),
    clientSeed: z.string(),
    /** How many packs were opened with the pair. */
    openings: z.int(),
  }),
  active: ActiveSeedPair,
  next: z.object({ serverSeedHash: z.string() }),
})
export type RotateSeedsResponse = z.infer<typeof RotateSeedsResponse>

export const FairOpening = z.object({
  id: z.int(),
  createdAt: Timestamp,
  packTypeId: z.int(),
  prizeId: z.nullable(z.int()),
  /** True when the draw landed on a prize whose stock was 0. */
  soldOut: z.boolean(),
  /** That prize, else null. */
  soldOutPrizeId: z.nullable(z.int()),
  redCoinEarned: z.int(),
  seedPairId: z.int(),
  nonce: z.int(),
  tableHash: z.string(),
  serverSeedHash: z.string(),
  clientSeed: z.string(),
  clientSeedFrom: ClientSeedFrom,
  /** Null until the pair is rotated. */
  serverSeed: z.nullable(z.string()),
  scheme: Scheme,
})
export type FairOpening = z.infer<typeof FairOpening>

export const FairOpeningsQuery = z.object({
  page: PageNumber,
  limit: pageLimit(fairnessPageDefault, fairnessPageMax),
})

export const FairOpeningsResponse = z.object({
  openings: z.array(FairOpening),
  pagination: Pagination,
})
export type FairOpeningsResponse = z.infer<typeof FairOpeningsResponse>

const FirstTableEntry = z.object({
  prizeId: z.int(),
  name: z.string(),
  winFrequency: z.int(),
  totalPacks: z.int(),
  redCoinAmount: z.int(),
})

/** The table of a draw of scheme 1; its hash is taken over exactly these keys in this order. */
export const FirstOddsTable = z.object({
  packTypeId: z.int(),
  entries: z.array(FirstTableEntry),
})

/**
 * The table a draw is made from, with everything that decides what is paid; its hash is taken over
 * exactly these keys in this order.
 */
export const OddsTable = z.object({
  packTypeId: z.int(),
  consolationRedCoin: z.int(),
  entries: z.array(
    z.extend(FirstTableEntry, {
      rewardPackTypeId: z.nullable(z.int()),
      rewardPackQuantity: z.int(),
      limited: z.boolean(),
    }),
  ),
})

export const AnyOddsTable = z.union([OddsTable, FirstOddsTable])
export type AnyOddsTable = z.infer<typeof AnyOddsTable>

export const OpeningProof = z.object({
  version: z.literal(2),
  opening: FairOpening,
  table: AnyOddsTable,
  /**
   * The opening's entry in the public log with its inclusion proof and a signed checkpoint (C2SP
   * tlog-proof); null until it is appended.
   */
  log: z.nullable(z.string()),
})
export type OpeningProof = z.infer<typeof OpeningProof>

export const TableHashParams = z.object({
  hash: z.string().check(z.regex(/^[0-9a-f]{64}$/, { error: 'Invalid table hash' })),
})

export const fairnessContract = {
  odds: endpoint({
    method: 'GET',
    path: '/api/packs/types/{id}/odds',
    access: 'viewer',
    summary: 'The real chances of one pack type.',
    params: IdParams,
    response: OddsResponse,
    domainErrors: ['not_found'],
  }),
  seeds: endpoint({
    method: 'GET',
    path: '/api/fairness',
    access: 'viewer',
    summary: "The caller's seeds, as far as they are public, and the commitment to the next one.",
    response: SeedsResponse,
  }),
  changeClientSeed: endpoint({
    method: 'PUT',
    path: '/api/fairness/client-seed',
    changes: ['seeds'],
    changesWhen: 'refused',
    access: 'viewer',
    summary: 'Sets the client seed while no pack has been opened with the active pair.',
    body: ChangeClientSeedRequest,
    response: SeedsResponse,
    domainErrors: ['wrong_state'],
  }),
  rotate: endpoint({
    method: 'POST',
    path: '/api/fairness/rotate',
    changes: ['reveals'],
    access: 'viewer',
    summary: 'Reveals the server seed of the active pair and starts the next pair.',
    body: RotateSeedsRequest,
    response: RotateSeedsResponse,
  }),
  openings: endpoint({
    method: 'GET',
    path: '/api/fairness/openings',
    access: 'viewer',
    summary: "The caller's openings with everything needed to draw them again, newest first.",
    query: FairOpeningsQuery,
    response: FairOpeningsResponse,
  }),
  proof: endpoint({
    method: 'GET',
    path: '/api/fairness/openings/{id}/proof',
    access: 'viewer',
    summary: 'One opening with its odds table: the proof file.',
    params: LongIdParams,
    response: OpeningProof,
    domainErrors: ['not_found'],
  }),
  table: endpoint({
    method: 'GET',
    path: '/api/fairness/tables/{hash}',
    access: 'public',
    summary: 'The odds table with the given hash.',
    params: TableHashParams,
    response: AnyOddsTable,
    domainErrors: ['not_found'],
  }),
}
