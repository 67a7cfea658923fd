// A process that ends by itself comes back, soon at first and then more and more rarely.

import { describe, expect, it } from 'vitest'
import { failuresAfter, restartPause, shouldGiveUp } from '../process/supervisor.ts'

describe('a process that has ended', () => {
  it('is started again at once, and after each further failure twice as late', () => {
    expect([1, 2, 3, 4].map(restartPause)).toEqual([200, 400, 800, 1_600])
  })

  it('is never waited for longer than ten seconds', () => {
    expect([7, 100, 1_000_000].map(restartPause)).toEqual([10_000, 10_000, 10_000])
  })

  it('has not failed when it served for a minute', () => {
    expect(failuresAfter(4, 59_999)).toBe(5)
    expect(failuresAfter(4, 60_000)).toBe(0)
    expect(restartPause(0)).toBe(200)
  })

  it('is given up only when nobody serves any more', () => {
    expect(shouldGiveUp(5, false)).toBe(true)
    expect(shouldGiveUp(4, false)).toBe(false)
    expect(shouldGiveUp(500, true)).toBe(false)
  })
})
