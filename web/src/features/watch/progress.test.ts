// How seconds become a percentage, and how far the display runs ahead of the server.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  nextAnchor,
  progressPercent,
  quarterPassed,
  requiredSeconds,
  shownSeconds,
} from './progress.ts'

describe('progress', () => {
  it.each([
    [0, 3600, 0],
    [900, 3600, 25],
    [1800, 7200, 25],
    [3600, 3600, 100],
  ])('of %i of %i seconds is %i percent [P-317]', (watched, required, percent) => {
    expect(progressPercent(watched, required)).toBe(percent)
  })

  it('is capped at 100 percent [P-317]', () => {
    expect(progressPercent(3601, 3600)).toBe(100)
    expect(progressPercent(1_000_000, 60)).toBe(100)
  })

  it('is nothing for a count that is none', () => {
    expect(progressPercent(-5, 3600)).toBe(0)
    expect(progressPercent(Number.NaN, 3600)).toBe(0)
  })

  it('asks for 3600 seconds where a stream does not say [P-431]', () => {
    expect(requiredSeconds({})).toBe(3600)
    expect(requiredSeconds({ watchTimeRequired: null })).toBe(3600)
    expect(requiredSeconds({ watchTimeRequired: 7200 })).toBe(7200)
  })
})

describe('the display between two answers', () => {
  const start = { seconds: 60, sinceMs: 0, shownThen: 60 }

  it('runs with the clock, at most one poll ahead', () => {
    expect(shownSeconds(start, 0)).toBe(60)
    expect(shownSeconds(start, 4_000)).toBe(64)
    expect(shownSeconds(start, 10_000)).toBe(70)
    expect(shownSeconds(start, 59_000)).toBe(70)
  })

  it('does not run back when the server counted less than was shown', () => {
    const next = nextAnchor(start, 63, 10_000)
    expect(shownSeconds(next, 10_000)).toBe(70)
    expect(shownSeconds(next, 14_000)).toBe(70)
    expect(shownSeconds(next, 20_000)).toBe(73)
  })

  it('starts over for a session that has less', () => {
    expect(shownSeconds(nextAnchor(start, 5, 1000), 1000)).toBe(5)
  })

  it('never runs back nor further ahead than one poll', () => {
    const steps = fc.array(fc.tuple(fc.nat(120_000), fc.nat(90)), { maxLength: 30 })
    fc.assert(
      fc.property(steps, (list) => {
        let anchor = start
        let nowMs = 0
        let shown = shownSeconds(anchor, nowMs)
        for (const [waitMs, credit] of list) {
          nowMs += waitMs
          const before = shownSeconds(anchor, nowMs)
          expect(before).toBeGreaterThanOrEqual(shown)
          expect(before).toBeLessThanOrEqual(anchor.seconds + 10)
          if (credit > 0) anchor = nextAnchor(anchor, anchor.seconds + credit, nowMs)
          shown = shownSeconds(anchor, nowMs)
          expect(shown).toBeGreaterThanOrEqual(before)
        }
      }),
    )
  })
})

describe('the quarters', () => {
  it.each([
    [24, 25, 25],
    [10, 60, 50],
    [74.9, 100, 75],
  ])('passed from %d to %d percent: %d', (before, now, quarter) => {
    expect(quarterPassed(before, now)).toBe(quarter)
  })

  it.each([
    [25, 26],
    [0, 24.9],
    [50, 25],
  ])('not passed from %d to %d percent', (before, now) => {
    expect(quarterPassed(before, now)).toBeUndefined()
  })
})
