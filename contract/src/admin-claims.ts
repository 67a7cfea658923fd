// Prize claims as staff handle them (W-047 to W-051).

import * as z from 'zod/mini'
import { ActionAnswer, ClaimStatus, claimStatuses, Timestamp } from './answers.ts'
import { ClaimStep } from './claims.ts'
import { endpoint } from './endpoint.ts'
import { domainErrorCodes } from './error-codes.ts'
import { bulkRowsMax, claimsAtOnceMax } from './limits.ts'
import { listOrPage, pageCounts, queryChoice } from './list-or-page.ts'
import { claimsAtOnce } from './shipments.ts'
import {
  blankableText,
  IdOrTextParams,
  idNumber,
  plainText,
  requestObject,
  SearchText,
} from './values.ts'

/** Where a prize goes, as stored: an object, a plain text, or null. */
const ContactInfo = z.custom<Readonly<Record<string, unknown>> | string | null>()

export const AdminClaim = z.object({
  id: z.int(),
  claimId: z.string(),
  userId: z.int(),
  prizeId: z.int(),
  status: ClaimStatus,
  /**
   * Where the prize goes: sealed at rest, hidden in streamer mode and erased 90 days after the end
   * of the claim. Each reading of it is in the audit log. Also null in a list asked for without it.
   */
  contactInfo: ContactInfo,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  user: z.object({ id: z.int(), username: z.string(), displayName: z.string() }),
  prize: z.object({ id: z.int(), name: z.string(), redCoinAmount: z.int() }),
  prizeName: z.string(),
  username: z.string(),
  redCoinAmount: z.int(),
  /** Paid automatically when it was won; nothing is left to do. */
  isAutoCompleted: z.boolean(),
  /** When staff deleted the claim; null while it stands. */
  deletedAt: z.nullable(Timestamp),
})
export type AdminClaim = z.infer<typeof AdminClaim>

/** `deleted` shows deleted claims, which can be restored; all other filters leave them out. */
export const claimStatusFilters = ['all', ...claimStatuses, 'deleted'] as const

/**
 * A column; a minus sign in front reverses the order. Within one status, winner or prize, the
 * newest claim comes first. By winner or prize at most `claimsSortedMax` claims are sorted; with
 * more, the newest come first.
 */
export const claimSorts = [
  '-createdAt',
  'createdAt',
  'status',
  '-status',
  'user',
  '-user',
  'prize',
  '-prize',
] as const

const contactChoices = ['with', 'without'] as const

/** Asking for delivery details, as the bare list does, is noted once a day. */
export const AdminClaimsQuery = listOrPage({
  status: { values: claimStatusFilters, usual: 'all' },
  sort: { values: claimSorts, usual: '-createdAt', asksForPage: false },
  contact: { values: contactChoices, usual: 'with', asksForPage: false },
})
export type AdminClaimsQuery = z.infer<typeof AdminClaimsQuery>

/** Which claims a file holds. It contains delivery details only on request. */
export const AdminClaimsFileQuery = z.object({
  search: SearchText,
  status: queryChoice(claimStatusFilters, 'all'),
  contact: queryChoice(contactChoices, 'without'),
})
export type AdminClaimsFileQuery = z.infer<typeof AdminClaimsFileQuery>

export const AdminClaimsPage = z.object({
  claims: z.array(AdminClaim),
  searchMode: z.boolean(),
  ...pageCounts,
  /** All claims that are not deleted; `total` counts those that match. */
  claimsTotal: z.int(),
})
export type AdminClaimsPage = z.infer<typeof AdminClaimsPage>

export const AdminClaimsResponse = z.union([z.array(AdminClaim), AdminClaimsPage])

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

/** What staff need to send a prize. */
export const ClaimReading = z.object({
  claimId: z.string(),
  contactInfo: ContactInfo,
  claimInstructions: z.string(),
  /** True if the win has a code, which only its winner sees. */
  hasCode: z.boolean(),
  /** The picture of the prize as it was won. */
  imageData: z.nullable(z.string()),
  imageType: z.nullable(z.string()),
  timeline: z.array(ClaimStep),
})
export type ClaimReading = z.infer<typeof ClaimReading>

export const DeleteClaimsResponse = z.extend(ActionAnswer, {
  deletedCount: z.int(),
  /** Id of this deletion, for restoring all of it; null when nothing was deleted. */
  batchId: z.nullable(z.string()),
})

const whichClaims = 'Say which claims to restore'

/** Claims by row number, or all claims of one deletion of everything. */
export const RestoreClaimsRequest = requestObject({
  ids: z.optional(claimsAtOnce(idNumber('Invalid id'), whichClaims, bulkRowsMax)),
  batchId: z.optional(z.guid({ error: 'Invalid batch' })),
  /** Why, for the log of staff actions; at most 500 characters. */
  reason: z._default(blankableText({ label: 'Reason', max: 500 }), ''),
}).check(
  z.refine((body) => (body.ids === undefined) !== (body.batchId === undefined), {
    error: whichClaims,
    path: ['ids'],
  }),
)
export type RestoreClaimsRequest = z.infer<typeof RestoreClaimsRequest>

export const RestoreClaimsResponse = z.extend(ActionAnswer, { restoredCount: z.int() })

const whichToChange = 'Say which claims to change'

/** What can be done to many claims at once: `approve` completes them. */
export const claimActs = ['approve', 'delete'] as const
export const ClaimAct = z.enum(claimActs, { error: 'Invalid act' })
export type ClaimAct = z.infer<typeof ClaimAct>

/** One act on the claims with these row numbers; repeated numbers count once. */
export const ChangeManyClaimsRequest = requestObject({
  act: ClaimAct,
  ids: claimsAtOnce(idNumber('Invalid id'), whichToChange, claimsAtOnceMax),
})
export type ChangeManyClaimsRequest = z.infer<typeof ChangeManyClaimsRequest>

/** The result for one claim. A refused one stays as it was. */
export const ClaimVerdict = z.object({
  id: z.int(),
  /** Null when there is no such claim or it is deleted. */
  claimId: z.nullable(z.string()),
  verdict: z.enum(['done', 'refused']),
  /** Why it was refused, as a code and a sentence; null when it was done. */
  code: z.nullable(z.enum(domainErrorCodes)),
  reason: z.nullable(z.string()),
})
export type ClaimVerdict = z.infer<typeof ClaimVerdict>

export const ChangeManyClaimsResponse = z.extend(ActionAnswer, {
  /** One verdict per claim, in the order of the request. */
  verdicts: z.array(ClaimVerdict),
  doneCount: z.int(),
  refusedCount: z.int(),
  /** Id of this deletion, for restoring all of it; null when nothing was deleted. */
  batchId: z.nullable(z.string()),
})
export type ChangeManyClaimsResponse = z.infer<typeof ChangeManyClaimsResponse>

export const adminClaimsContract = {
  list: endpoint('staff', 'GET', '/api/admin/prize-claims', {
    summary: 'Lists every claim, newest first, or one page of those that match.',
    query: AdminClaimsQuery,
    response: AdminClaimsResponse,
  }),
  file: endpoint('staff', 'GET', '/api/admin/prize-claims.csv', {
    summary: 'Returns the matching claims as a CSV file, newest first, at most 100000 rows.',
    query: AdminClaimsFileQuery,
    response: 'text',
    rate: 'upload',
  }),
  read: endpoint('staff', 'POST', '/api/admin/prize-claims/{id}/reading', {
    changes: [],
    summary: "Returns where a prize goes and its claim's history; the audit log notes it.",
    params: IdOrTextParams,
    /** A label is noted each time: staff hear of an address that changes after it. */
    query: z.object({ for: queryChoice(['screen', 'label'], 'screen') }),
    response: ClaimReading,
  }),
  update: endpoint('staff', 'PATCH', '/api/admin/prize-claims/{id}', {
    changes: ['claims'],
    summary: "Changes a claim's status or contact details, by row number or Claim ID.",
    params: IdOrTextParams,
    bodyLimit: 'texts',
    body: UpdateClaimRequest,
    response: AdminClaim,
    domainErrors: ['not_found', 'already_completed', 'wrong_state'],
  }),
  remove: endpoint('staff', 'DELETE', '/api/admin/prize-claims/{id}', {
    changes: ['claims', 'overview'],
    summary: 'Deletes a claim, by row number or Claim ID.',
    params: IdOrTextParams,
    response: ActionAnswer,
  }),
  changeMany: endpoint('staff', 'POST', '/api/admin/prize-claims/many', {
    changes: ['claims', 'overview'],
    summary: 'Approves or deletes many claims, with a verdict for each; a refusal stops no other.',
    bodyLimit: 'texts',
    body: ChangeManyClaimsRequest,
    response: ChangeManyClaimsResponse,
    idempotent: true,
  }),
  removeAll: endpoint('staff', 'DELETE', '/api/admin/prize-claims', {
    changes: ['claims', 'overview'],
    summary: 'Deletes every claim.',
    response: DeleteClaimsResponse,
    domainErrors: ['confirmation_needed'],
    concernsEverybody: true,
  }),
  restore: endpoint('staff', 'POST', '/api/admin/prize-claims/restore', {
    changes: ['claims', 'overview'],
    summary: 'Restores deleted claims as they were.',
    bodyLimit: 'list',
    body: RestoreClaimsRequest,
    response: RestoreClaimsResponse,
    domainErrors: ['not_found'],
  }),
}
