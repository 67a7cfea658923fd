// Watch-reward streams as staff manage them, under both prefixes (W-060 to W-066).

import * as z from 'zod/mini'
import {
  CreateStreamRequest,
  PresenceMode,
  SetLiveRequest,
  ToggleStreamRequest,
  UpdateStreamRequest,
} from './admin-stream-requests.ts'
import { ActionAnswer, NamedRow, Timestamp } from './answers.ts'
import { endpoint } from './endpoint.ts'

export const AdminStreamReward = z.object({
  /** 0 for the stream's own packs, which count if it has no other reward. */
  id: z.int(),
  streamId: z.int(),
  packTypeId: z.nullable(z.int()),
  packQuantity: z.int(),
  quantity: z.int(),
  redCoinAmount: z.int(),
  packType: z.nullable(NamedRow),
})
export type AdminStreamReward = z.infer<typeof AdminStreamReward>

export const AdminStream = z.object({
  id: z.int(),
  displayName: z.string(),
  channelName: z.string(),
  twitchChannelName: z.string(),
  twitchChannelId: z.string(),
  channelUrl: z.string(),
  /** Minutes; may be a fraction. */
  watchTimeRequired: z.number(),
  watchTimeRequiredSeconds: z.int(),
  completionMessage: z.string(),
  enableChatMessage: z.boolean(),
  autoScheduleEnabled: z.boolean(),
  scheduledStartTime: z.nullable(Timestamp),
  scheduledEndTime: z.nullable(Timestamp),
  isActive: z.boolean(),
  isLive: z.boolean(),
  currentStreamId: z.nullable(z.string()),
  streamStartedAt: z.nullable(Timestamp),
  streamEndedAt: z.nullable(Timestamp),
  rewardPackTypeId: z.nullable(z.int()),
  rewardPackQuantity: z.int(),
  rewardRedCoinAmount: z.int(),
  rewards: z.array(AdminStreamReward),
  packRewards: z.array(AdminStreamReward),
  presenceMode: PresenceMode,
  /** When the list of chatters was last read completely. */
  chattersReadAt: z.nullable(Timestamp),
  /** True while the live flag is the one that staff set; ends when Twitch says the same. */
  isLiveByHand: z.boolean(),
  /** When Twitch last answered whether the channel is live. */
  liveCheckedAt: z.nullable(Timestamp),
})
export type AdminStream = z.infer<typeof AdminStream>

export const adminStreamsContract = {
  list: endpoint('staff', 'GET', '/api/admin/twitch/streams', {
    summary: 'Lists every stream.',
    response: z.array(AdminStream),
  }),
  create: endpoint('staff', 'POST', '/api/admin/twitch/streams', {
    changes: ['streams'],
    summary: 'Creates a stream.',
    bodyLimit: 'texts',
    body: CreateStreamRequest,
    response: AdminStream,
    domainErrors: ['not_found', 'duplicate'],
  }),
  update: endpoint('staff', 'PUT', '/api/admin/twitch/streams/{id}', {
    changes: ['streams'],
    summary: 'Changes the given fields of a stream.',
    bodyLimit: 'texts',
    body: UpdateStreamRequest,
    response: AdminStream,
    domainErrors: ['not_found', 'duplicate', 'changed_meanwhile'],
  }),
  toggle: endpoint('staff', 'PUT', '/api/admin/twitch/streams/{id}/toggle', {
    changes: ['streams'],
    summary: 'Activates or deactivates a stream.',
    body: ToggleStreamRequest,
    response: AdminStream,
  }),
  remove: endpoint('staff', 'DELETE', '/api/admin/twitch/streams/{id}', {
    changes: ['streams'],
    summary: 'Deletes a stream, or archives it if anyone has completed it.',
    response: ActionAnswer,
  }),
  restore: endpoint('staff', 'POST', '/api/admin/twitch/streams/{id}/restore', {
    changes: ['streams', 'audit'],
    summary: 'Restores a deleted stream.',
    response: AdminStream,
    domainErrors: ['not_found', 'duplicate', 'wrong_state'],
  }),
  rewards: endpoint('staff', 'GET', '/api/admin/twitch/streams/{id}/rewards', {
    summary: 'Lists the rewards of a stream.',
    response: z.array(AdminStreamReward),
  }),
  setLive: endpoint('staff', 'POST', '/api/admin/twitch/streams/{id}/live', {
    changes: ['streams'],
    summary: 'Sets the live flag by hand.',
    body: SetLiveRequest,
    response: AdminStream,
  }),
}
