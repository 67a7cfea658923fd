import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { creditWatchTime } from './watch-time.ts'

const start = Date.parse('2026-03-01T12:00:00.000Z')
const at = (seconds: number) => new Date(start + seconds * 1000)

describe('credit for a heartbeat', () => {
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
