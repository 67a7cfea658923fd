// Prize claims as staff handle them (W-047 to W-051).

import * as z from 'zod/mini'
import { ActionAnswer, ClaimStatus, claimStatuses, Timestamp } from './answers.ts'
import { endpoint } from './endpoint.ts'
import { adminClaimsPageDefault, adminPageMax } from './limits.ts'
import {
  IdOrTextParams,
  PageNumber,
  pageLimit,
  plainText,
  requestObject,
  SearchText,
} from './values.ts'

/** Where a prize goes, as it was stored: an object, a plain text, or null. */
const ContactInfo = z.custom<Readonly<Record<string, unknown>> | string | null>()

export const AdminClaim = z.object({
  id: z.int(),
  claimId: z.string(),
  userId: z.int(),
  prizeId: z.int(),
  status: ClaimStatus,
  contactInfo: ContactInfo,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  user: z.object({ id: z.int(), username: z.string(), displayName: z.string() }),
  prize: z.object({ id: z.int(), name: z.string(), redCoinAmount: z.int() }),
  prizeName: z.string(),
  username: z.string(),
  redCoinAmount: z.int(),
})
export type AdminClaim = z.infer<typeof AdminClaim>

const statusFilters = ['all', ...claimStatuses] as const

const PageFields = z.object({
  search: SearchText,
  status: z._default(z.catch(z.enum(statusFilters), 'all'), 'all'),
  page: PageNumber,
  limit: pageLimit(adminClaimsPageDefault, adminPageMax),
})

const pageKeys = ['search', 'status', 'page', 'limit'] as const

/** With none of the four keys the answer is the bare list, with any of them one page. */
export const AdminClaimsQuery = z.pipe(
  z.object({
    search: z.optional(z.unknown().check(z.meta({ type: 'string' }))),
    status: z.optional(z.unknown().check(z.meta({ enum: statusFilters }))),
    page: z.optional(z.unknown().check(z.meta({ type: 'integer', minimum: 1 }))),
    limit: z.optional(
      z.unknown().check(z.meta({ type: 'integer', minimum: 1, maximum: adminPageMax })),
    ),
  }),
  z.transform((query) =>
    pageKeys.some((key) => query[key] !== undefined)
      ? { isPaged: true as const, ...z.parse(PageFields, query) }
      : { isPaged: false as const },
  ),
)
export type AdminClaimsQuery = z.infer<typeof AdminClaimsQuery>

export const AdminClaimsPage = z.object({
  claims: z.array(AdminClaim),
  searchMode: z.boolean(),
  total: z.int(),
  totalPages: z.int(),
  page: z.int(),
  limit: z.int(),
})
export type AdminClaimsPage = z.infer<typeof AdminClaimsPage>

export const AdminClaimsResponse = z.union([z.array(AdminClaim), AdminClaimsPage])
export type AdminClaimsResponse = z.infer<typeof AdminClaimsResponse>

const contactMax = 5_000
const contactWrong = 'Contact info must be an object or a text'

const ContactInfoInput = z.union(
  [
    z.record(z.string(), z.unknown()).check(
      z.refine((info) => JSON.stringify(info).length <= contactMax, {
        error: 'Contact info is too long',
      }),
      z.refine((info) => !JSON.stringify(info).includes('\\u0000'), {
        error: 'Contact info contains a character that is not allowed',
      }),
    ),
    plainText({ label: 'Contact info', max: contactMax }),
  ],
  { error: contactWrong },
)

/** A new status, new contact details (null removes them), or both. */
export const UpdateClaimRequest = requestObject({
  status: z.optional(ClaimStatus),
  contactInfo: z.optional(z.nullable(ContactInfoInput)),
}).check(
  z.refine((body) => body.status !== undefined || body.contactInfo !== undefined, {
    error: 'Status or contact info is required',
    path: ['status'],
  }),
)
export type UpdateClaimRequest = z.infer<typeof UpdateClaimRequest>

export const DeleteClaimsResponse = z.extend(ActionAnswer, { deletedCount: z.int() })
export type DeleteClaimsResponse = z.infer<typeof DeleteClaimsResponse>

export const adminClaimsContract = {
  list: endpoint({
    method: 'GET',
    path: '/api/admin/prize-claims',
    access: 'staff',
    summary: 'Every claim, newest first, or one page of those that match.',
    wire: ['W-047', 'W-048'],
    query: AdminClaimsQuery,
    bodyKind: 'none',
    response: AdminClaimsResponse,
    refusals: [],
    rate: 'read',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/admin/prize-claims/{id}',
    access: 'staff',
    summary: 'Moves a claim on, or stores its contact details. The id may be the Claim ID.',
    wire: ['W-049'],
    params: IdOrTextParams,
    bodyKind: 'json',
    body: UpdateClaimRequest,
    response: AdminClaim,
    refusals: ['not_found', 'already_completed', 'wrong_state'],
    rate: 'write',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/admin/prize-claims/{id}',
    aliases: [{ method: 'DELETE', path: '/api/test/admin-prize-claims/{id}' }],
    access: 'staff',
    summary: 'Deletes a claim. The id may be the Claim ID.',
    wire: ['W-050'],
    params: IdOrTextParams,
    bodyKind: 'none',
    response: ActionAnswer,
    refusals: ['not_found'],
    rate: 'write',
  }),
  removeAll: endpoint({
    method: 'DELETE',
    path: '/api/admin/prize-claims',
    access: 'staff',
    summary: 'Deletes every claim.',
    wire: ['W-051'],
    bodyKind: 'none',
    response: DeleteClaimsResponse,
    refusals: [],
    rate: 'write',
  }),
}
