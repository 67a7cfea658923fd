import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { creditWatchTime, type WatchMarks } from './watch-time.ts'

const start = Date.parse('2026-03-01T12:00:00.000Z')
const at = (seconds: number) => new Date(start + seconds * 1000)

describe('credit for a heartbeat', () => {
  const setBackFrom = null

  it('is 0 while the clock stands a little before the last count, and nothing moves back', () => {
    const none = { seconds: 0, setBackFrom }
    const waiting = creditWatchTime(at(-595), at(0), { creditedAt: at(5), setBackFrom })
    expect(waiting).toEqual({ ...none, countedUntil: at(5) })
    const first = creditWatchTime(at(0), at(0), { creditedAt: null, setBackFrom })
    expect(first).toEqual({ ...none, countedUntil: at(0) })
  })

  it('starts anew once the clock was set back by more than 10 minutes', () => {
    let marks: WatchMarks & { seconds: number } = { creditedAt: at(0), setBackFrom, seconds: 0 }
    let counted = at(-20)
    const beat = (seconds: number) => {
      const credit = creditWatchTime(at(seconds), counted, marks)
      counted = credit.countedUntil
      marks = { ...credit, creditedAt: counted }
      return [credit.seconds, credit.setBackFrom]
    }
    expect(beat(-3_600)).toEqual([0, at(0)])
    expect(beat(-3_540)).toEqual([60, at(60)])
    // As long as the clock has not come past the old mark, a gap may be a step to another clock.
    expect(beat(-3_449)).toEqual([0, at(60)])
    expect(beat(-3_359)).toEqual([90, at(150)])
    expect(beat(150)).toEqual([0, null])
    expect(beat(300)).toEqual([90, null])
  })
})

interface Step {
  /** Which session beats, -1 the newest; above the number of open sessions a new one starts. */
  readonly session: number
  readonly pauseMillis: number
  /** Whether a process hears it whose clock is ahead. */
  readonly isAhead?: boolean
}

/**
 * Plays beats of one viewer over many sessions, the way the heartbeat stores them.
 * `countableMillis` is the time that has passed with every pause taken as 90 s at most.
 */
function play(steps: readonly Step[], aheadMillis = 0) {
  let nowMillis = start
  let countableMillis = 0
  let marks: WatchMarks = { creditedAt: null, setBackFrom: null }
  const sessions: { startedAt: Date; countedAt: Date; seconds: number }[] = []
  for (const { session: wanted, pauseMillis, isAhead = false } of steps) {
    nowMillis += pauseMillis
    countableMillis += Math.min(pauseMillis, 90_000)
    const now = new Date(nowMillis + (isAhead ? aheadMillis : 0))
    const session = sessions.at(wanted)
    if (session === undefined) {
      sessions.push({ startedAt: now, countedAt: now, seconds: 0 })
      continue
    }
    const credit = creditWatchTime(now, session.countedAt, marks)
    session.seconds += credit.seconds
    session.countedAt = credit.countedUntil
    marks = { ...credit, creditedAt: credit.countedUntil }
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

const own = (seconds: number): Step => ({ session: 0, pauseMillis: seconds * 1000 })
const newest = (session: number): Step => ({ session, pauseMillis: 0, isAhead: true })
const repeated = (times: number, ...some: readonly Step[]): Step[] =>
  Array.from({ length: times }, () => some).flat()

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

  it('credits the time that has passed and once 90 s, whichever of two clocks is asked', () => {
    const beat = fc.record({
      session: fc.constantFrom(0, -1, 99),
      pauseMillis: fc.constantFrom(0, 60_000, 89_000),
      isAhead: fc.constantFrom(true, false, false, false),
    })
    const ahead = fc.oneof(
      fc.integer({ min: 0, max: 620_000 }),
      fc.integer({ min: 0, max: 100_000_000 }),
    )
    fc.assert(
      fc.property(
        fc.array(beat, { maxLength: 60, size: 'max' }),
        ahead,
        (sequence, aheadMillis) => {
          const { sessions, elapsedMillis } = play(sequence, aheadMillis)
          const credited = sessions.reduce((total, { seconds }) => total + seconds, 0)
          expect(credited * 1000).toBeLessThanOrEqual(elapsedMillis + 90_000)
        },
      ),
      {
        // Beats to the clock that is behind, then one to the other: of the same session, or of one
        // that was started there before.
        examples: [
          [repeated(9, own(0), ...repeated(11, own(60)), newest(-1)), 610_000],
          [repeated(9, newest(99), own(60), newest(-1), own(0)), 3_600_000],
        ],
      },
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
