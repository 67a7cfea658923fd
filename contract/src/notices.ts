// What has happened for the caller without their doing, newest first, and how far they have read.

import * as z from 'zod/mini'
import { ClaimStatus, Timestamp } from './answers.ts'
import { endpoint } from './endpoint.ts'
import { requestObject } from './values.ts'

export const noticeKinds = [
  'claim_status',
  'delivery_wanted',
  'deadline_near',
  'code_ready',
  'shipment_sent',
  'shipment_returned',
  'delivery_asked',
  'watch_reward',
  'packs_granted',
  'packs_removed',
  'red_coin_granted',
  'red_coin_removed',
  'discord_reward',
  'email_refused',
  'discord_refused',
] as const

export const Notice = z.object({
  /** Tells it from every other notice of the caller. */
  id: z.string(),
  kind: z.enum(noticeKinds),
  at: Timestamp,
  /**
   * Name of the prize, the stream or the pack type it is about; null for RedCoin by staff, and for
   * packs of several types that came together.
   */
  subject: z.nullable(z.string()),
  /** The new status, for `claim_status` only. */
  status: z.nullable(ClaimStatus),
  /** Who carries it and under which number, for `shipment_sent`; null where neither is known. */
  carriage: z.nullable(z.string()),
  /** What was paid or taken: RedCoin with its sign, 0 for none. */
  redCoin: z.int(),
  /** Packs that were given or taken, with their sign, 0 for none. */
  packs: z.int(),
  isUnread: z.boolean(),
})
export type Notice = z.infer<typeof Notice>

export const NoticesResponse = z.object({
  /** The newest 50 of the last 90 days, of the kinds that the caller wants to hear of. */
  notices: z.array(Notice),
  /** How many of these are unread. */
  unreadCount: z.int(),
})
export type NoticesResponse = z.infer<typeof NoticesResponse>

const timeSentence = 'Name the moment up to which you have read'

export const ReadNoticesRequest = requestObject({
  /** Moment of the newest notice that was read; one in the future counts as now. */
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
