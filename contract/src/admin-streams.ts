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
import { IdParams } from './values.ts'

export const AdminStreamReward = z.object({
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
  /** Minutes; a fraction when the seconds are no whole minutes. */
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
  /** When the list of chatters was last read to its end. */
  chattersReadAt: z.nullable(Timestamp),
  /** True while the live flag stands as staff have set it; it ends when Twitch says the same. */
  isLiveByHand: z.boolean(),
  /** When Twitch was last asked whether the channel is live, with an answer. */
  liveCheckedAt: z.nullable(Timestamp),
})
export type AdminStream = z.infer<typeof AdminStream>

export const adminStreamsContract = {
  list: endpoint({
    method: 'GET',
    path: '/api/admin/twitch/streams',
    access: 'staff',
    summary: 'Every stream.',
    wire: ['W-060'],
    response: z.array(AdminStream),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/admin/twitch/streams',
    changes: ['streams'],
    access: 'staff',
    summary: 'Creates a stream.',
    wire: ['W-061'],
    bodyLimit: 'texts',
    body: CreateStreamRequest,
    response: AdminStream,
    domainErrors: ['not_found', 'duplicate'],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/admin/twitch/streams/{id}',
    changes: ['streams'],
    access: 'staff',
    summary: 'Changes the given fields of a stream.',
    wire: ['W-062'],
    params: IdParams,
    bodyLimit: 'texts',
    body: UpdateStreamRequest,
    response: AdminStream,
    domainErrors: ['not_found', 'duplicate', 'changed_meanwhile'],
  }),
  toggle: endpoint({
    method: 'PUT',
    path: '/api/admin/twitch/streams/{id}/toggle',
    changes: ['streams'],
    access: 'staff',
    summary: 'Activates or deactivates a stream.',
    wire: ['W-063'],
    params: IdParams,
    body: ToggleStreamRequest,
    response: AdminStream,
    domainErrors: ['not_found'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/admin/twitch/streams/{id}',
    changes: ['streams'],
    access: 'staff',
    summary: 'Deletes a stream, or archives it when it was completed by someone.',
    wire: ['W-064'],
    params: IdParams,
    response: ActionAnswer,
    domainErrors: ['not_found'],
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/admin/twitch/streams/{id}/restore',
    changes: ['streams', 'audit'],
    access: 'staff',
    summary: 'Brings back a stream that was deleted.',
    params: IdParams,
    response: AdminStream,
    domainErrors: ['not_found', 'duplicate', 'wrong_state'],
  }),
  rewards: endpoint({
    method: 'GET',
    path: '/api/admin/twitch/streams/{id}/rewards',
    access: 'staff',
    summary: 'The rewards of a stream.',
    wire: ['W-065'],
    params: IdParams,
    response: z.array(AdminStreamReward),
    domainErrors: ['not_found'],
  }),
  setLive: endpoint({
    method: 'POST',
    path: '/api/admin/twitch/streams/{id}/live',
    changes: ['streams'],
    access: 'staff',
    summary: 'Sets the live flag by hand.',
    wire: ['W-066'],
    params: IdParams,
    body: SetLiveRequest,
    response: AdminStream,
    domainErrors: ['not_found'],
  }),
}
