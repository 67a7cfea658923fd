// How seconds become a percentage.

import { describe, expect, it } from 'vitest'
import { progressPercent, quarterPassed, requiredSeconds } from './broadcasts.ts'

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
