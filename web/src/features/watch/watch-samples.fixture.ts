// The streams, sessions and completions that tests speak of.

import type { AdminStream, Stream, WatchCompletion, WatchSession } from '@redpack/contract'

/** A live stream, different where the test says so. */
export function sampleStream(change: Partial<Stream> = {}): Stream {
  return {
    id: 1,
    displayName: 'Nova Streams',
    channelName: 'novastreams',
    channelUrl: 'https://www.twitch.tv/novastreams',
    channelImageUrl: null,
    isLive: true,
    currentStreamId: 'b1',
    watchTimeRequired: 3600,
    rewardRedCoinAmount: 250,
    rewards: [
      {
        id: 5,
        packTypeId: 3,
        packQuantity: 2,
        redCoinAmount: 0,
        packType: { id: 3, name: 'Gold Pack' },
      },
    ],
    ...change,
  }
}

/** A running session of the live broadcast. */
export function sampleSession(change: Partial<WatchSession> = {}): WatchSession {
  const stream = change.stream ?? sampleStream()
  return {
    id: 9,
    streamId: stream.id,
    streamSessionId: 'b1',
    isActive: true,
    isCompleted: false,
    isCounting: true,
    notCountingBecause: null,
    totalWatchTime: 1800,
    lastActiveAt: '2026-11-21T09:00:00.000Z',
    stream,
    ...change,
  }
}

/** A completion of the live broadcast. */
export function sampleCompletion(change: Partial<WatchCompletion> = {}): WatchCompletion {
  const stream = change.stream ?? sampleStream()
  return {
    id: 4,
    streamId: stream.id,
    streamSessionId: 'b1',
    completedAt: '2026-11-20T12:00:00.000Z',
    watchTimeCompleted: 3600,
    rewardsGiven: [{ packTypeId: 3, packTypeName: 'Gold Pack', packQuantity: 2, redCoinAmount: 0 }],
    stream,
    ...change,
  }
}

const reward = {
  id: 1,
  streamId: 5,
  packTypeId: 1,
  packQuantity: 2,
  quantity: 2,
  redCoinAmount: 0,
  packType: { id: 1, name: 'Crown Pack' },
}

/** A stream as staff see it, with a schedule and a reward. */
export function sampleAdminStream(change: Partial<AdminStream> = {}): AdminStream {
  return {
    id: 5,
    displayName: 'Pixel Otter',
    channelName: 'pixelotter',
    twitchChannelName: 'pixelotter',
    twitchChannelId: '990000001',
    channelUrl: 'https://www.twitch.tv/pixelotter',
    watchTimeRequired: 90,
    watchTimeRequiredSeconds: 5_400,
    completionMessage: 'Well watched, {username}!',
    enableChatMessage: true,
    autoScheduleEnabled: true,
    scheduledStartTime: '2027-01-15T19:00:00.000Z',
    scheduledEndTime: '2027-07-15T18:00:00.000Z',
    isActive: true,
    isLive: true,
    currentStreamId: 's1',
    streamStartedAt: '2026-11-21T09:00:00.000Z',
    streamEndedAt: null,
    rewardPackTypeId: null,
    rewardPackQuantity: 1,
    rewardRedCoinAmount: 50,
    rewards: [reward],
    packRewards: [reward],
    presenceMode: 'off',
    chattersReadAt: null,
    isLiveByHand: false,
    liveCheckedAt: '2026-11-21T09:00:00.000Z',
    ...change,
  }
}
