// How seconds become a percentage.

import { describe, expect, it } from 'vitest'
import { progressPercent, quarterPassed, requiredSeconds } from './broadcasts.ts'

describe('progress', () => {
  it.each([
    [0, 3600, 0],
    [900, 3600, 25],
    [1800, 7200, 25],
    [3600, 3600, 100],
  ])('of %i of %i seconds is %i percent', (watched, required, percent) => {
    expect(progressPercent(watched, required)).toBe(percent)
  })

  it('is capped at 100 percent', () => {
    expect(progressPercent(3601, 3600)).toBe(100)
    expect(progressPercent(1_000_000, 60)).toBe(100)
  })

  it('is nothing for a count that is none', () => {
    expect(progressPercent(-5, 3600)).toBe(0)
    expect(progressPercent(Number.NaN, 3600)).toBe(0)
  })

  it('asks for 3600 seconds where a stream does not say', () => {
    expect(requiredSeconds({})).toBe(3600)
    expect(requiredSeconds({ watchTimeRequired: null })).toBe(3600)
    expect(requiredSeconds({ watchTimeRequired: 7200 })).toBe(7200)
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
