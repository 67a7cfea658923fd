// What is sent for a claim, and its state, for its winner and for the staff who send it.

import * as z from 'zod/mini'
import { Timestamp } from './answers.ts'
import { ClaimIdParams } from './delivery.ts'
import { Countries, EstimatedValue } from './delivery-terms.ts'
import { endpoint } from './endpoint.ts'
import { claimsAtOnceMax, nameMax, urlMax } from './limits.ts'
import { pageCounts, pageFields, queryChoice } from './list-or-page.ts'
import { shipmentStates } from './shipment-states.ts'
import { clearableText, fieldsOf, idNumber, nameText, requestObject, someOf } from './values.ts'

const ShipmentState = z.enum(shipmentStates, { error: 'Invalid state' })

const course = {
  state: ShipmentState,
  /** The winner's last time to give an address; null for no limit. */
  deadline: z.nullable(Timestamp),
  courier: z.nullable(z.string()),
  trackingNumber: z.nullable(z.string()),
  /** The courier's tracking page. */
  trackingUrl: z.nullable(z.string()),
  sentAt: z.nullable(Timestamp),
  /** Countries that it is sent to, as ISO 3166 alpha-2; empty for all. */
  countries: Countries,
  /** For the winner's papers; null if unknown. */
  estimatedValue: z.nullable(EstimatedValue),
}

/** A shipment as its winner sees it. */
export const Shipment = z.object({
  ...course,
  canDecline: z.boolean(),
  hasCode: z.boolean(),
})
export type Shipment = z.infer<typeof Shipment>

export const AdminShipment = z.object({
  claimId: z.string(),
  user: z.object({ id: z.int(), username: z.string(), displayName: z.string() }),
  prize: z.object({ id: z.int(), name: z.string() }),
  ...course,
  /** Not sent although the deadline has passed. */
  isOverdue: z.boolean(),
  /** The address was changed after packing. */
  hasNewerAddress: z.boolean(),
  /** The member of staff who packed it; before that, who ships its prize. */
  handler: z.nullable(z.object({ id: z.int(), displayName: z.string() })),
  wonAt: Timestamp,
  updatedAt: Timestamp,
})
export type AdminShipment = z.infer<typeof AdminShipment>

/** A switch in a query: present, and neither `false` nor `0`. */
const asked = z.pipe(
  z._default(z.catch(z.string(), ''), 'false'),
  z.transform((text) => text !== 'false' && text !== '0'),
)

/** Columns of the file for a courier's tool; `address` becomes one for each line. */
export const courierColumns = [
  ...['claimId', 'prize', 'name', 'address', 'city', 'postalCode', 'country', 'phone', 'note'],
  ...['answers', 'courier', 'trackingNumber'],
] as const
export type CourierColumn = (typeof courierColumns)[number]

/** Names separated by commas; all if none is given. The Claim ID is always included. */
const CourierColumns = z.pipe(
  z._default(z.catch(z.string(), ''), ''),
  z.transform((text) => {
    const named = courierColumns.filter((column) => text.split(',').includes(column))
    return named.length === 0 ? courierColumns : [...new Set(['claimId', ...named] as const)]
  }),
)

export const ShipmentsQuery = z.object({
  state: queryChoice(['all', ...shipmentStates], 'all'),
  /** `me` for what the caller ships; without a state, what is not sent yet. */
  handler: queryChoice(['all', 'me'], 'all'),
  overdue: asked,
  prizeId: z.catch(z.optional(idNumber('Invalid prize')), undefined),
  ...pageFields,
})
export type ShipmentsQuery = z.infer<typeof ShipmentsQuery>

/** At most `shipmentsCountedMax` per state. */
export const ShipmentCounts = z.object({
  ...fieldsOf(shipmentStates, () => z.int()),
  overdue: z.int(),
  /** For the caller to ship, and not sent yet. */
  mine: z.int(),
})
export type ShipmentCounts = z.infer<typeof ShipmentCounts>

export const ShipmentsPage = z.object({
  /** With work left, the longest waiting come first; otherwise the newest. */
  shipments: z.array(AdminShipment),
  counts: ShipmentCounts,
  ...pageCounts,
})
export type ShipmentsPage = z.infer<typeof ShipmentsPage>

/** At least one of the claims, by what names them, and at most `max`; `error` asks for them. */
export function claimsAtOnce<T extends z.ZodMiniType>(name: T, error: string, max: number) {
  return someOf(name, error, max, `At most ${max.toLocaleString('en')} claims at once`)
}

const whichToChange = 'Say which claims to change'
const claimName = nameText({ label: 'Claim ID', max: 100, required: 'Invalid Claim ID' })

/** A new state or deadline. Sent ones may name a courier, and a single claim a number. */
export const ChangeShipmentsRequest = requestObject({
  claimIds: claimsAtOnce(claimName, whichToChange, claimsAtOnceMax),
  state: z.optional(ShipmentState),
  courier: z.optional(clearableText({ label: 'Courier', max: nameMax })),
  trackingNumber: z.optional(clearableText({ label: 'Tracking number', max: nameMax })),
  /** The old number, as staff saw it, when they correct that of a sent prize. */
  replacesNumber: z.optional(z.string().check(z.maxLength(nameMax))),
  deadline: z.optional(z.nullable(z.iso.datetime({ offset: true, error: 'Invalid deadline' }))),
}).check(
  z.refine((body) => (body.state === undefined) !== (body.deadline === undefined), {
    error: 'Say either a state or a deadline',
    path: ['state'],
  }),
  z.refine((body) => body.state === 'sent' || !(body.courier || body.trackingNumber), {
    error: 'Only what was sent has a courier and a number',
    path: ['courier'],
  }),
  z.refine((body) => !body.trackingNumber || body.claimIds.length === 1, {
    error: 'A number belongs to one claim',
    path: ['trackingNumber'],
  }),
)
export type ChangeShipmentsRequest = z.infer<typeof ChangeShipmentsRequest>

/** Whether one claim was changed, and if not, why. */
export const ShipmentVerdict = z.object({
  claimId: z.string(),
  changed: z.boolean(),
  reason: z.optional(z.string()),
  /** What staff should check: that its address has changed, or whose number it has as well. */
  remark: z.optional(z.string()),
})
export type ShipmentVerdict = z.infer<typeof ShipmentVerdict>

export const ChangeShipmentsResponse = z.object({ verdicts: z.array(ShipmentVerdict) })
export type ChangeShipmentsResponse = z.infer<typeof ChangeShipmentsResponse>

export const CourierFilePreview = z.object({
  /** Identifies this file; applying it requires the token. */
  token: z.string(),
  rows: z.array(
    z.object({
      /** As in a spreadsheet: the header is row 1. */
      row: z.int(),
      claimId: z.string(),
      courier: z.string(),
      trackingNumber: z.string(),
    }),
  ),
  /** One per row, in order. */
  verdicts: z.array(ShipmentVerdict),
})
export type CourierFilePreview = z.infer<typeof CourierFilePreview>

export const CourierFileRequest = requestObject({
  token: nameText({ label: 'Token', max: nameMax, required: 'Look at the file first' }),
})

export const CourierFileResponse = z.object({
  /** Its id in the log of staff actions. */
  batchId: z.string(),
  sent: z.int(),
  skipped: z.int(),
  /** Absent in old stored answers. */
  leftOut: z.optional(z.array(z.object({ row: z.int(), claimId: z.string(), reason: z.string() }))),
})
export type CourierFileResponse = z.infer<typeof CourierFileResponse>

export const Courier = z.object({
  id: z.int(),
  name: z.string(),
  trackingUrlTemplate: z.string(),
})
export type Courier = z.infer<typeof Courier>

const templateWrong = 'The link must begin with https:// and hold {number} once'
// {number} must come after the host name, so that no number can lead to another host.
const template = /^https:\/\/[a-zA-Z0-9.-]+(:\d+)?\/[^\s{}"'<>\\]*\{number\}[^\s{}"'<>\\]*$/

export const AddCourierRequest = requestObject({
  name: nameText({ label: 'Name', max: 100, required: 'Name is required' }),
  trackingUrlTemplate: nameText({ label: 'Link', max: urlMax, required: templateWrong }).check(
    z.refine((text) => template.test(text), { error: templateWrong }),
  ),
})

const courierFile = {
  field: 'file',
  isRequired: true,
  missing: 'Please select a CSV file',
} as const

export const shipmentsContract = {
  received: endpoint('viewer', 'POST', '/api/user/prize-claims/{claimId}/received', {
    changes: ['claims'],
    summary: "Confirms that one of the caller's prizes has arrived.",
    params: ClaimIdParams,
    response: Shipment,
    domainErrors: ['not_found', 'shipment_state'],
    idempotent: true,
  }),
  code: endpoint('viewer', 'GET', '/api/user/prize-claims/{claimId}/code', {
    summary: "Returns the code of one of the caller's wins; the claim's timeline notes it.",
    params: ClaimIdParams,
    response: z.object({ code: z.string() }),
    domainErrors: ['not_found'],
  }),
  decline: endpoint('viewer', 'POST', '/api/user/prize-claims/{claimId}/decline', {
    changes: ['claims'],
    summary: "Gives up one of the caller's prizes that is not packed yet.",
    params: ClaimIdParams,
    response: Shipment,
    domainErrors: ['not_found', 'shipment_state'],
    idempotent: true,
  }),
}

export const adminShipmentsContract = {
  list: endpoint('staff', 'GET', '/api/admin/shipments', {
    summary: 'Lists one page of the matching shipments of claims that are not deleted.',
    query: ShipmentsQuery,
    response: ShipmentsPage,
  }),
  change: endpoint('staff', 'PATCH', '/api/admin/shipments', {
    changes: ['claims'],
    summary: 'Changes the state or deadline of shipments, with a verdict for each.',
    bodyLimit: 'list',
    body: ChangeShipmentsRequest,
    response: ChangeShipmentsResponse,
    idempotent: true,
  }),
  file: endpoint('staff', 'GET', '/api/admin/shipments.csv', {
    summary:
      'Returns addresses (ready shipments by default) as a CSV file for couriers; the audit log notes whose.',
    query: z.object({ state: queryChoice(shipmentStates, 'ready'), columns: CourierColumns }),
    response: 'text',
    rate: 'upload',
  }),
  previewFile: endpoint('staff', 'POST', '/api/admin/shipments/courier-file/preview', {
    changes: [],
    summary: "Shows what a courier's file with claimId, courier and trackingNumber would do.",
    bodyKind: 'multipart',
    bodyLimit: 'file',
    file: courierFile,
    response: CourierFilePreview,
    rate: 'upload',
  }),
  applyFile: endpoint('staff', 'POST', '/api/admin/shipments/courier-file', {
    changes: ['claims'],
    summary: "Marks the claims in a courier's file as sent, and stores the numbers.",
    bodyKind: 'multipart',
    bodyLimit: 'file',
    file: courierFile,
    body: CourierFileRequest,
    response: CourierFileResponse,
    domainErrors: ['changed_meanwhile'],
    rate: 'upload',
    idempotent: true,
  }),
  couriers: endpoint('staff', 'GET', '/api/admin/couriers', {
    summary: 'Lists every courier by name.',
    response: z.array(Courier),
  }),
  addCourier: endpoint('staff', 'POST', '/api/admin/couriers', {
    changes: ['claims'],
    summary: 'Adds a courier with its tracking link.',
    body: AddCourierRequest,
    response: Courier,
    domainErrors: ['duplicate'],
    idempotent: true,
  }),
  removeCourier: endpoint('staff', 'DELETE', '/api/admin/couriers/{id}', {
    changes: ['claims'],
    summary: 'Removes a courier; links of what was sent with it stay.',
    response: z.array(Courier),
    idempotent: true,
  }),
}
