// The streams, sessions and completions that tests speak of.

import type { Stream, WatchCompletion, WatchSession } from '@redpack/contract'

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
