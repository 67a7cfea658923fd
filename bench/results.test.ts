// A benchmark complains when a ratio lost more than a fifth, and only then.

import { describe, expect, it } from 'vitest'
import { ofRounds, shortfalls, toSlowWay, typical } from './results.ts'

describe('a benchmark', () => {
  it('is silent while no ratio lost more than a fifth', () => {
    expect(shortfalls({}, { one: 1 })).toEqual([])
    expect(shortfalls({ one: 10, two: 2 }, { one: 8, two: 3 })).toEqual([])
  })

  it('names each ratio that lost more', () => {
    expect(shortfalls({ one: 10, two: 2 }, { one: 7.9, two: 1 })).toEqual([
      'one was 10 and is 7.9',
      'two was 2 and is 1',
    ])
  })

  it('does not tell apart how many times slower a very slow way is', () => {
    const before = { slow: toSlowWay(56) }
    expect(shortfalls(before, { slow: toSlowWay(39) })).toEqual([])
    expect(shortfalls(before, { slow: toSlowWay(15) })).toEqual(['slow was 20 and is 15'])
  })

  it('has lost only what is missing in every round', () => {
    const rounds = ofRounds([30, 90, 60], [10, 10, 10])
    expect(rounds).toEqual([3, 9, 6])
    expect(typical(rounds)).toBe(6)
    expect(shortfalls({ one: 11 }, { one: rounds })).toEqual([])
    expect(shortfalls({ one: 12 }, { one: rounds })).toEqual(['one was 12 and is 9'])
    expect(shortfalls({ one: 1 }, { one: [Number.NaN, 2] })).toHaveLength(1)
  })

  it('misses a ratio that nobody measures any more', () => {
    expect(shortfalls({ one: 10 }, {})).toEqual(['one was 10 and is not measured any more'])
    expect(shortfalls({ one: 10 }, { one: Number.NaN })).toHaveLength(1)
  })
})
