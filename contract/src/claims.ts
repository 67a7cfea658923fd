// The caller's own prize claims (W-013).

import * as z from 'zod/mini'
import { ClaimStatus, Pagination, Timestamp } from './answers.ts'
import { endpoint } from './endpoint.ts'
import { claimsPageDefault, claimsPageMax } from './limits.ts'
import { Shipment } from './shipments.ts'
import { PageNumber, pageLimit } from './values.ts'

export const claimSteps = [
  'created',
  'status',
  'delivery_saved',
  'delivery_erased',
  'deadline_near',
  'code_shown',
] as const

/** Something that happened to a claim. */
export const ClaimStep = z.object({
  kind: z.enum(claimSteps),
  /** The new status, if the status changed. */
  status: z.nullable(ClaimStatus),
  at: Timestamp,
})
export type ClaimStep = z.infer<typeof ClaimStep>

export const Claim = z.object({
  id: z.int(),
  claimId: z.string(),
  status: ClaimStatus,
  createdAt: Timestamp,
  prize: z.object({
    id: z.int(),
    name: z.string(),
    description: z.string(),
    imageData: z.nullable(z.string()),
    imageType: z.nullable(z.string()),
    /** As in `WonPrize`. */
    imageUrl: z.optional(z.nullable(z.string())),
    redCoinAmount: z.int(),
    claimInstructions: z.string(),
  }),
  /** Oldest first: its creation and the latest 50 steps. Always sent. */
  timeline: z.optional(z.array(ClaimStep)),
  /** Null where nothing is sent. Always sent. */
  shipment: z.optional(z.nullable(Shipment)),
})
export type Claim = z.infer<typeof Claim>

export const claimFilters = ['physical', 'redcoin'] as const

export const ClaimsQuery = z.object({
  page: PageNumber,
  limit: pageLimit(claimsPageDefault, claimsPageMax),
  filter: z._default(z.catch(z.enum(claimFilters), 'physical'), 'physical'),
})
export type ClaimsQuery = z.infer<typeof ClaimsQuery>

export const ClaimsResponse = z.object({ claims: z.array(Claim), pagination: Pagination })
export type ClaimsResponse = z.infer<typeof ClaimsResponse>

export const claimsContract = {
  list: endpoint('viewer', 'GET', '/api/user/prize-claims/paginated', {
    summary: "Returns one page of the caller's claims of one kind, newest first.",
    query: ClaimsQuery,
    response: ClaimsResponse,
  }),
}
