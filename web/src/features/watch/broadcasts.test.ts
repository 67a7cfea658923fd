// Which broadcasts are started, what counts and how far it has come, and which reason is shown.

import { describe, expect, it } from 'vitest'
import { ApiError } from '../../lib/api-error.ts'
import {
  countingName,
  progressPercent,
  quarterPassed,
  requiredSeconds,
  runningSessions,
  sessionReason,
  startableStreams,
} from './broadcasts.ts'
import { sampleCompletion, sampleSession, sampleStream } from './watch-samples.fixture.ts'

const domainError = (status: number, message: string) =>
  new ApiError(status, '', JSON.stringify({ message }))

describe('a session is started', () => {
  const starts = (...lists: Parameters<typeof startableStreams>) =>
    startableStreams(...lists).map(({ stream, streamSessionId }) => [stream.id, streamSessionId])

  it('for a live broadcast without completion and session', () => {
    expect(starts([sampleStream()], [], [])).toEqual([[1, 'b1']])
  })

  it('not while offline or without a broadcast', () => {
    const offline = sampleStream({ isLive: false })
    const unnamed = sampleStream({ id: 2, currentStreamId: null })
    expect(starts([offline, unnamed], [], [])).toEqual([])
  })

  it('not when the broadcast is completed or being watched', () => {
    expect(starts([sampleStream()], [], [sampleCompletion()])).toEqual([])
    expect(starts([sampleStream()], [sampleSession()], [])).toEqual([])
    const done = sampleSession({ isActive: false, isCompleted: true })
    expect(starts([sampleStream()], [done], [])).toEqual([])
    const gone = sampleSession({ isActive: false })
    expect(starts([sampleStream()], [gone], [])).toEqual([])
  })

  it('again for a new broadcast of a stream that was completed', () => {
    const stream = sampleStream({ currentStreamId: 'b2' })
    const ended = sampleSession({ isActive: false, isCompleted: true })
    expect(starts([stream], [ended], [sampleCompletion()])).toEqual([[1, 'b2']])
  })

  it("not held up by another stream's session", () => {
    const other = sampleSession({ streamId: 2, streamSessionId: 'b1' })
    expect(starts([sampleStream()], [other], [])).toEqual([[1, 'b1']])
  })
})

describe('a session runs', () => {
  it('while it is active on a live stream', () => {
    const offline = sampleStream({ isLive: false })
    const sessions = [
      sampleSession({ id: 1 }),
      sampleSession({ id: 2, isActive: false }),
      sampleSession({ id: 3, stream: offline }),
      sampleSession({ id: 4, isCompleted: true }),
    ]
    expect(runningSessions(sessions).map(({ id }) => id)).toEqual([1])
  })
})

describe('the stream that counts', () => {
  it('is the one whose session has the clock, also while its beat is late', () => {
    const other = { isCounting: false, notCountingBecause: 'other_stream' } as const
    const kira = sampleSession({ id: 2, stream: sampleStream({ displayName: 'Kira' }) })
    expect(countingName([sampleSession(other), kira])).toBe('Kira')
    const late = { ...kira, isCounting: false, notCountingBecause: 'late_beat' } as const
    expect(countingName([sampleSession(other), late])).toBe('Kira')
    expect(countingName([sampleSession(other)])).toBeUndefined()
  })
})

describe('the reason why nothing counts', () => {
  it('of a session whose beat was refused is the sentence of the server', () => {
    const sentence = 'This stream is offline, so watch time does not count'
    expect(sessionReason({ error: domainError(409, sentence) })).toEqual({
      kind: 'stopped',
      text: sentence,
    })
  })

  it('of a session whose beat got lost says that it is tried again', () => {
    for (const error of [domainError(500, 'Internal server error'), new TypeError('offline')]) {
      expect(sessionReason({ error })).toMatchObject({ kind: 'waiting' })
      expect(sessionReason({ error }).text).toContain('retry within a minute')
    }
  })

  it('of a session that slept says for how long', () => {
    expect(sessionReason({ pausedMs: 720_000 }).text).toContain('paused for 12 min')
  })
})

describe('progress', () => {
  it.each([
    [0, 3600, 0],
    [900, 3600, 25],
    [3600, 3600, 100],
    [1_000_000, 60, 100],
    [-5, 3600, 0],
    [Number.NaN, 3600, 0],
  ])('of %d of %i seconds is %i percent, 100 at most', (watched, required, percent) => {
    expect(progressPercent(watched, required)).toBe(percent)
  })

  it('asks for 3600 seconds where a stream does not say', () => {
    expect(requiredSeconds({})).toBe(3600)
    expect(requiredSeconds({ watchTimeRequired: null })).toBe(3600)
    expect(requiredSeconds({ watchTimeRequired: 7200 })).toBe(7200)
  })
})

it.each([
  [24, 25, 25],
  [10, 60, 50],
  [74.9, 100, 75],
  [25, 26, undefined],
  [0, 24.9, undefined],
  [50, 25, undefined],
])('from %d to %d percent the quarter that is passed is %s', (before, now, quarter) => {
  expect(quarterPassed(before, now)).toBe(quarter)
})
