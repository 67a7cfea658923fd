// Where a physical prize goes: its winner saves it, and only the winner and staff see it.

import * as z from 'zod/mini'
import { AnswersInput, Countries, DeliveryAnswer, DeliveryQuestion } from './delivery-terms.ts'
import { endpoint } from './endpoint.ts'
import { addressLinesMax, nameMax } from './limits.ts'
import { clearableText, nameText, plainText, requestObject, someOf } from './values.ts'

const shortMax = 100
const phoneMax = 40
const noteMax = 500

export const Delivery = z.object({
  name: z.string(),
  /** Street, house and so on, 1 to 4 lines. */
  addressLines: z.array(z.string()),
  city: z.string(),
  postalCode: z.nullable(z.string()),
  country: z.string(),
  phone: z.nullable(z.string()),
  note: z.nullable(z.string()),
  /** Absent when nothing was asked. */
  answers: z.optional(z.array(DeliveryAnswer)),
})
export type Delivery = z.infer<typeof Delivery>

function required(label: string, max: number) {
  return nameText({ label, max, required: `${label} is required` })
}

/** An optional text: absent, null and blank all mean null. */
function optional(label: string, max: number) {
  return z.pipe(
    z.optional(clearableText({ label, max })),
    z.transform((text) => text ?? null),
  )
}

export const SaveDeliveryRequest = requestObject({
  name: required('Name', nameMax),
  addressLines: someOf(
    required('Address', nameMax),
    'Address is required',
    addressLinesMax,
    `Address must have ${addressLinesMax} lines or less`,
  ),
  city: required('City', shortMax),
  postalCode: optional('Postal code', shortMax),
  /** By its name or its two letters. */
  country: required('Country', shortMax),
  phone: optional('Phone', phoneMax),
  note: z.pipe(
    z.optional(z.nullable(plainText({ label: 'Note', max: noteMax }))),
    z.transform((text) =>
      text === undefined || text === null || text.trim() === '' ? null : text,
    ),
  ),
  /** One per question of the prize, in order. */
  answers: z._default(AnswersInput, []),
})

export const ClaimIdParams = z.object({
  claimId: nameText({ label: 'Claim ID', max: shortMax, required: 'Invalid Claim ID' }),
})

export const DeliveryResponse = z.object({
  claimId: z.string(),
  delivery: z.nullable(Delivery),
  /** False once the claim is completed. */
  canChange: z.boolean(),
  /** Countries that the prize is sent to, as ISO 3166 alpha-2; empty for all. */
  countries: Countries,
  questions: z.array(DeliveryQuestion),
})
export type DeliveryResponse = z.infer<typeof DeliveryResponse>

export const deliveryContract = {
  read: endpoint('viewer', 'GET', '/api/user/prize-claims/{claimId}/delivery', {
    summary: "Returns where one of the caller's prizes goes, by Claim ID or row number.",
    params: ClaimIdParams,
    response: DeliveryResponse,
    domainErrors: ['not_found'],
  }),
  save: endpoint('viewer', 'PUT', '/api/user/prize-claims/{claimId}/delivery', {
    changes: ['claims'],
    summary: "Sets where one of the caller's physical prizes goes, until its claim is completed.",
    params: ClaimIdParams,
    body: SaveDeliveryRequest,
    response: DeliveryResponse,
    domainErrors: ['not_found', 'already_completed', 'wrong_state', 'country_not_served'],
  }),
}
