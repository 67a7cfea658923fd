import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { creditWatchTime, isWatchable, requireEarning, requireWatchable } from './watch-time.ts'

const start = Date.parse('2026-03-01T12:00:00.000Z')
const at = (seconds: number) => new Date(start + seconds * 1000)
const live = { isActive: true, isLive: true, currentStreamId: 'b1' }

describe('credit for a heartbeat', () => {
  it('is the time since the session was last counted', () => {
    expect(creditWatchTime(at(60), at(0), null)).toEqual({ seconds: 60, countedUntil: at(60) })
  })

  it('is at most 90 s, however long the gap, and the rest of the gap is gone', () => {
    expect(creditWatchTime(at(89), at(0), null).seconds).toBe(89)
    expect(creditWatchTime(at(90), at(0), null)).toEqual({ seconds: 90, countedUntil: at(90) })
    expect(creditWatchTime(at(91), at(0), null)).toEqual({ seconds: 90, countedUntil: at(91) })
    expect(creditWatchTime(at(86_400), at(0), null)).toEqual({
      seconds: 90,
      countedUntil: at(86_400),
    })
  })

  it('counts from the last credit of any stream', () => {
    expect(creditWatchTime(at(60), at(0), at(45))).toEqual({ seconds: 15, countedUntil: at(60) })
    expect(creditWatchTime(at(60), at(45), at(0)).seconds).toBe(15)
  })

  it('keeps a broken second for the next beat', () => {
    expect(creditWatchTime(at(1.9), at(0), null)).toEqual({ seconds: 1, countedUntil: at(1) })
    expect(creditWatchTime(at(0.9), at(0), null)).toEqual({ seconds: 0, countedUntil: at(0) })
  })

  it('is 0 while the clock stands before the last count, and nothing moves back', () => {
    expect(creditWatchTime(at(-3600), at(0), at(5))).toEqual({ seconds: 0, countedUntil: at(5) })
    expect(creditWatchTime(at(0), at(0), null)).toEqual({ seconds: 0, countedUntil: at(0) })
  })
})

interface Step {
  /** Which session beats; above the number of open sessions a new one starts. */
  readonly session: number
  readonly pauseMillis: number
}

/**
 * Plays beats of one viewer over many sessions, the way the heartbeat stores them.
 * `countableMillis` is the time that has passed with every pause taken as 90 s at most.
 */
function play(steps: readonly Step[]) {
  let nowMillis = start
  let countableMillis = 0
  let creditedAt: Date | null = null
  const sessions: { startedAt: Date; countedAt: Date; seconds: number }[] = []
  for (const { session: wanted, pauseMillis } of steps) {
    nowMillis += pauseMillis
    countableMillis += Math.min(pauseMillis, 90_000)
    const now = new Date(nowMillis)
    const session = sessions[wanted]
    if (session === undefined) {
      sessions.push({ startedAt: now, countedAt: now, seconds: 0 })
      continue
    }
    const credit = creditWatchTime(now, session.countedAt, creditedAt)
    session.seconds += credit.seconds
    session.countedAt = credit.countedUntil
    creditedAt = credit.countedUntil
  }
  return { sessions, elapsedMillis: nowMillis - start, countableMillis }
}

const pauses = fc.oneof(
  fc.integer({ min: 0, max: 3_000 }),
  fc.integer({ min: 0, max: 100_000 }),
  fc.integer({ min: 0, max: 10_000_000 }),
)
const steps = fc.array(
  fc.record({ session: fc.integer({ min: 0, max: 6 }), pauseMillis: pauses }),
  { maxLength: 120 },
)

describe('any sequence of heartbeats over many streams and tabs', () => {
  it('credits at most the time that has really passed', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        const { sessions, countableMillis } = play(sequence)
        const credited = sessions.reduce((total, { seconds }) => total + seconds, 0)
        expect(credited * 1000).toBeLessThanOrEqual(countableMillis)
      }),
    )
  })

  it('never credits a session more than its own time', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        for (const { startedAt, countedAt, seconds } of play(sequence).sessions) {
          expect(seconds).toBeGreaterThanOrEqual(0)
          expect(seconds * 1000).toBeLessThanOrEqual(countedAt.getTime() - startedAt.getTime())
        }
      }),
    )
  })

  it('credits 10,000 beats within 10 s with 10 s', () => {
    const sequence = Array.from({ length: 10_000 }, () => ({ session: 0, pauseMillis: 1 }))
    const { sessions } = play([{ session: 0, pauseMillis: 0 }, ...sequence])
    expect(sessions[0]?.seconds).toBe(10)
  })

  it('loses nothing to fast beats on one stream', () => {
    const beats = fc.array(fc.integer({ min: 0, max: 89_000 }), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(beats, (pausesMillis) => {
        const sequence = [0, ...pausesMillis].map((pauseMillis) => ({ session: 0, pauseMillis }))
        const { sessions, elapsedMillis } = play(sequence)
        expect(sessions[0]?.seconds).toBe(Math.floor(elapsedMillis / 1000))
      }),
    )
  })
})

describe('why time does not count', () => {
  it.each([
    [{ ...live, isActive: false }, 'This stream is not active, so watch time does not count'],
    [{ ...live, isLive: false }, 'This stream is offline, so watch time does not count'],
    [{ ...live, currentStreamId: 'b2' }, 'This broadcast is over, so watch time does not count'],
    [{ ...live, currentStreamId: null }, 'This broadcast is over, so watch time does not count'],
  ])('is said in one sentence: %o', (stream, message) => {
    expect(isWatchable(stream, 'b1')).toBe(false)
    expect(() => requireWatchable(stream, 'b1')).toThrowError(
      expect.objectContaining({ code: 'wrong_state', message }),
    )
  })

  it('is nothing for the live broadcast of an active stream', () => {
    expect(isWatchable(live, 'b1')).toBe(true)
    expect(() => requireWatchable(live, 'b1')).not.toThrow()
  })

  it('can be that the account may not earn', () => {
    expect(() => requireEarning(false)).not.toThrow()
    expect(() => requireEarning(true)).toThrowError(
      expect.objectContaining({ code: 'wrong_state' }),
    )
  })
})
