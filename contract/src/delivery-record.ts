// What the public log says about the sending of all prizes.

import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

const count = z.int()

export const DeliveriesResponse = z.object({
  won: count,
  addressWanted: count,
  /** Includes packed, which is no public step. */
  ready: count,
  sent: count,
  delivered: count,
  returned: count,
  lapsed: count,
  declined: count,
  /** Staff deleted the claim. */
  withdrawn: count,
  /** Not sent on the day after the deadline, in UTC. */
  overdue: count,
  /** From the win to the first sending; null before anything was sent. */
  medianDaysToSent: z.nullable(z.number()),
})
export type DeliveriesResponse = z.infer<typeof DeliveriesResponse>

export const deliveryRecordContract = {
  deliveries: endpoint('public', 'GET', '/api/fairness/deliveries', {
    summary: 'Counts how far all prizes that are sent have come, from the public log alone.',
    response: DeliveriesResponse,
  }),
}
