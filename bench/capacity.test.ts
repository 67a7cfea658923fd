// The sums of docs/capacity.md agree with a count of the same people one by one.

import { describe, expect, it } from 'vitest'
import { capacityHabits, capacityUnits, sizes } from './capacity-figures.ts'
import { countedRates, needOf, ratesOf } from './capacity-sums.ts'

/** The same sequence in every run (a linear congruence of Numerical Recipes). */
function steadyChance(): () => number {
  let state = 12_345
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

describe('the sums of capacity', () => {
  it.each([1_000, 10_000])('agree with %i people counted one by one', (viewers) => {
    const counted = countedRates(viewers, capacityHabits, 300, steadyChance())
    const { polls, heartbeats, openings } = ratesOf(viewers, capacityHabits)
    expect(counted.mean.polls / polls).toBeCloseTo(1, 1)
    expect(counted.mean.heartbeats / heartbeats).toBeCloseTo(1, 1)
    expect(counted.mean.openings / openings).toBeCloseTo(1, 1)
  })

  it('leave room for the highest second of ten thousand people', () => {
    const { mean, highest } = countedRates(10_000, capacityHabits, 300, steadyChance())
    expect(highest.polls * 0.6).toBeLessThan(mean.polls)
    expect(highest.openings * 0.6).toBeLessThan(mean.openings)
  })

  it('grow with the viewers, and need at least one process and one core', () => {
    const needs = sizes.map((viewers) => needOf(viewers, capacityHabits, capacityUnits))
    const cores = needs.map(({ databaseCores }) => databaseCores)
    expect(cores).toEqual(cores.toSorted((a, b) => a - b))
    const one = needOf(1, capacityHabits, capacityUnits)
    expect([one.processes, one.databaseCores]).toEqual([1, 1])
  })
})
