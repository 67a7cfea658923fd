// Watching streams for rewards: streams, sessions, heartbeats, completions (W-020 to W-024).

import * as z from 'zod/mini'
import { NamedRow, Timestamp } from './answers.ts'
import { endpoint } from './endpoint.ts'
import { idNumber, nameText, requestObject } from './values.ts'

export const StreamReward = z.object({
  id: z.int(),
  packTypeId: z.nullable(z.int()),
  packQuantity: z.int(),
  redCoinAmount: z.int(),
  packType: z.nullable(NamedRow),
})
export type StreamReward = z.infer<typeof StreamReward>

export const Stream = z.object({
  id: z.int(),
  displayName: z.string(),
  channelName: z.string(),
  channelUrl: z.string(),
  /** The channel's picture at Twitch; null if unknown. */
  channelImageUrl: z.nullable(z.string()),
  isLive: z.boolean(),
  currentStreamId: z.nullable(z.string()),
  /** Seconds. */
  watchTimeRequired: z.int(),
  rewardRedCoinAmount: z.int(),
  rewards: z.array(StreamReward),
})
export type Stream = z.infer<typeof Stream>

/**
 * Why an uncompleted session does not count: another of the viewer's streams counts, its broadcast
 * is over or not known to be live, the viewer is not in its chat, or its last heartbeat is too old.
 */
export const NotCounting = z.enum(['other_stream', 'offline', 'not_in_chat', 'late_beat'])
export type NotCounting = z.infer<typeof NotCounting>

export const WatchSession = z.object({
  id: z.int(),
  streamId: z.int(),
  streamSessionId: z.string(),
  isActive: z.boolean(),
  isCompleted: z.boolean(),
  /** True for the one session that the viewer's clock counts for. */
  isCounting: z.boolean(),
  /** Null if it counts, is completed, or the account may not earn. */
  notCountingBecause: z.nullable(NotCounting),
  /** Seconds. */
  totalWatchTime: z.int(),
  lastActiveAt: Timestamp,
  stream: Stream,
})
export type WatchSession = z.infer<typeof WatchSession>

/** One thing that a completion paid. */
export const GivenReward = z.object({
  packTypeId: z.nullable(z.int()),
  packTypeName: z.nullable(z.string()),
  packQuantity: z.int(),
  redCoinAmount: z.int(),
})
export type GivenReward = z.infer<typeof GivenReward>

export const WatchCompletion = z.object({
  id: z.int(),
  streamId: z.int(),
  streamSessionId: z.string(),
  completedAt: Timestamp,
  /** Seconds. */
  watchTimeCompleted: z.int(),
  rewardsGiven: z.array(GivenReward),
  stream: Stream,
})
export type WatchCompletion = z.infer<typeof WatchCompletion>

/** Names a stream and its broadcast, in a session start as in a heartbeat. */
export const WatchRequest = requestObject({
  streamId: idNumber('Please select a stream'),
  streamSessionId: nameText({
    label: 'Stream session',
    max: 200,
    required: 'Stream session is required',
  }),
})
export type WatchRequest = z.infer<typeof WatchRequest>

export const HeartbeatResponse = z.object({
  success: z.literal(true),
  /** Seconds. */
  totalWatchTime: z.int(),
  isCompleted: z.boolean(),
})
export type HeartbeatResponse = z.infer<typeof HeartbeatResponse>

export const watchContract = {
  streams: endpoint('viewer', 'GET', '/api/twitch/active-streams', {
    summary: 'Lists the active streams with their rewards, live ones first.',
    response: z.array(Stream),
  }),
  sessions: endpoint('viewer', 'GET', '/api/twitch/watch-sessions', {
    summary: "Lists the caller's watch sessions, newest first.",
    response: z.array(WatchSession),
  }),
  startSession: endpoint('viewer', 'POST', '/api/twitch/watch-sessions', {
    changes: ['watch', 'streams'],
    changesWhen: 'refused',
    summary: 'Starts a watch session, or returns the existing one.',
    body: WatchRequest,
    response: WatchSession,
    domainErrors: ['not_found', 'wrong_state', 'already_completed'],
    stoppedBySuspension: true,
  }),
  selectActiveStream: endpoint('viewer', 'POST', '/api/twitch/watch-sessions/{id}/count-here', {
    changes: ['watch'],
    summary: "Makes the caller's clock count for this session; repeating it changes nothing.",
    response: WatchSession,
    domainErrors: ['not_found', 'wrong_state'],
  }),
  completions: endpoint('viewer', 'GET', '/api/twitch/watch-completions', {
    summary: "Lists the caller's completed watches, newest first.",
    response: z.array(WatchCompletion),
  }),
  heartbeat: endpoint('viewer', 'POST', '/api/twitch/heartbeat', {
    changes: ['watch', 'streams'],
    changesWhen: 'isCompleted',
    summary: 'Credits the time watched since the last heartbeat, and pays on completion.',
    body: WatchRequest,
    response: HeartbeatResponse,
    domainErrors: ['not_found', 'wrong_state'],
    stoppedBySuspension: true,
    rate: 'heartbeat',
  }),
}
