// What happened to the caller without their doing, newest first, and how far they have read.

import * as z from 'zod/mini'
import { ClaimStatus, Timestamp } from './answers.ts'
import { endpoint } from './endpoint.ts'
import { noticeKinds } from './notification-kinds.ts'
import { requestObject } from './values.ts'

export const Notice = z.object({
  /** Unique among the caller's notices. */
  id: z.string(),
  kind: z.enum(noticeKinds),
  at: Timestamp,
  /**
   * Name of its prize, stream or pack type; null for RedCoin by staff, and for packs of several
   * types at once.
   */
  subject: z.nullable(z.string()),
  /** The new status, only for `claim_status`. */
  status: z.nullable(ClaimStatus),
  /** Courier and tracking number, for `shipment_sent`; null when neither is known. */
  carriage: z.nullable(z.string()),
  /** RedCoin paid or taken, with its sign; 0 for none. */
  redCoin: z.int(),
  /** Packs given or taken, with their sign; 0 for none. */
  packs: z.int(),
  isUnread: z.boolean(),
})
export type Notice = z.infer<typeof Notice>

export const NoticesResponse = z.object({
  /** The newest 50 of the last 90 days, of the kinds that the caller wants. */
  notices: z.array(Notice),
  /** How many of them are unread. */
  unreadCount: z.int(),
})
export type NoticesResponse = z.infer<typeof NoticesResponse>

const timeSentence = 'Name the moment up to which you have read'

export const ReadNoticesRequest = requestObject({
  /** Time of the newest notice that was read; a future time counts as now. */
  readUntil: z.iso.datetime({ error: timeSentence }),
})

export const ReadNoticesResponse = z.object({ readUntil: Timestamp })

export const noticesContract = {
  list: endpoint('viewer', 'GET', '/api/user/notices', {
    summary: "Lists the caller's notices of claims, rewards and grants, newest first.",
    response: NoticesResponse,
  }),
  read: endpoint('viewer', 'PUT', '/api/user/notices/read', {
    changes: [],
    summary: 'Marks notices up to a moment as read; what was read stays read.',
    body: ReadNoticesRequest,
    response: ReadNoticesResponse,
  }),
}
