// The alarm on published chances stays quiet in fair worlds, however often staff look, and wakes up
// in others.

import { readFileSync } from 'node:fs'
import { entryAt, type OddsEntry, thresholdsOf } from '@redpack/fair/draw'
import { describe, expect, it } from 'vitest'
import { demoPackTypes, demoPrizes } from '../src/demo/catalogue.ts'
import { alarmAt, fairPerAlarm, isAlarm, logEvidence } from '../src/rules/anytime-test.ts'
import {
  alarmChances,
  allBounds,
  chancesIn,
  drawsSoFar,
  fairAlarms,
  publishedIn,
  quietBounds,
  rollOf,
  seededChance,
  type TypeLife,
} from './alarm-worlds.ts'
import { everyday } from './everyday.ts'

/** Prizes of an odds table by id: wins per packs. */
const table = (...prizes: readonly (readonly [id: number, wins: number, packs: number])[]) =>
  prizes.map(
    ([prizeId, winFrequency, totalPacks]): OddsEntry => ({
      prizeId,
      name: `P${prizeId}`,
      winFrequency,
      totalPacks,
      redCoinAmount: 0,
    }),
  )

/**
 * Two pack types and 18 prizes of them, from every second pack to one in 10,000. Tables change,
 * also in the first openings; prizes come and go; the last table of the second is scaled.
 */
const lives: readonly TypeLife[] = [
  [
    { entries: table([1, 1, 2], [2, 1, 10], [3, 1, 100], [4, 1, 1000]), until: 7 },
    { entries: table([1, 2, 5], [2, 1, 10], [3, 1, 50], [4, 1, 1000], [5, 1, 20]), until: 300 },
    { entries: table([2, 1, 8], [4, 3, 1000], [5, 1, 20], [6, 1, 3], [7, 1, 40]), until: 900 },
    { entries: table([1, 1, 2], [2, 1, 10], [7, 1, 40], [8, 1, 10_000], [9, 1, 4]), until: 1500 },
  ],
  [
    { entries: table([1, 3, 100], [2, 15, 100], [10, 1, 25], [11, 1, 1000]), until: 500 },
    {
      entries: table([2, 15, 100], [10, 1, 25], [12, 1, 7], [13, 2, 1000], [14, 1, 6]),
      until: 800,
    },
    {
      entries: table([10, 1, 2], [12, 1, 2], [13, 1, 1000], [15, 1, 4], [16, 1, 3], [17, 9, 10]),
      until: 1500,
    },
  ],
]

const economyPage = readFileSync(new URL('../../docs/economy.md', import.meta.url), 'utf8')

/** What docs/economy.md tells of. */
const worldsTold = 10_000
const worlds = everyday(2_000, worldsTold)

describe(`${worlds} fair worlds of 3,000 openings, looked at after every one`, () => {
  it('raise at most one alarm in a hundred of them', () => {
    const prizes = fairAlarms(lives, allBounds(lives), worlds, seededChance(1))
    const alarmsMost = worlds / fairPerAlarm
    expect(prizes).toBeLessThanOrEqual(alarmsMost)
    const told = `${prizes} alarms, where ${alarmsMost} are allowed`
    if (worlds === worldsTold) expect(economyPage).toContain(told)
  }, 120_000)
})

/** The sum over all prizes of the exact chance that a fair one ever raises an alarm. */
function fairAlarmChance(installation: readonly TypeLife[]): number {
  const chances = allBounds(installation).flatMap((bounds, type) =>
    bounds.map((bound) =>
      alarmChances(bound, publishedIn(installation[type]!, bound.prizeId)).at(-1),
    ),
  )
  return chances.reduce<number>((total, chance) => total + chance!, 0)
}

describe('worked out exactly', () => {
  it.each([
    [1, 2],
    [1, 10],
    [1, 100],
    [1, 1000],
    [999, 1000],
  ])('a fair prize of %i in %i stays within its allowance', (wins, packs) => {
    const chance = fairAlarmChance([[{ entries: table([1, wins, packs]), until: 5_000 }]])
    expect(chance).toBeGreaterThan(0)
    expect(chance).toBeLessThanOrEqual(2 / Math.exp(alarmAt(1)))
  })

  it('a fair installation whose tables change stays within 1 in 100', () => {
    expect(fairAlarmChance(lives)).toBeGreaterThan(0)
    expect(fairAlarmChance(lives)).toBeLessThanOrEqual(1 / fairPerAlarm)
  })
})

describe('a fresh demo installation', () => {
  const demo = demoPackTypes.map(({ key }): TypeLife => {
    const prizes = demoPrizes.map((prize, index) => ({ ...prize, prizeId: index + 1 }))
    return [{ entries: prizes.filter(({ packTypes }) => packTypes.includes(key)), until: 500 }]
  })

  it('sees an alarm in its first openings once in a hundred times at most', () => {
    expect(fairAlarmChance(demo)).toBeLessThanOrEqual(1 / fairPerAlarm)
  })

  it('sees none after three openings, unless they are a wonder', () => {
    const firstThree = demo.map(([step]): TypeLife => [{ ...step!, until: 3 }])
    expect(fairAlarmChance(firstThree)).toBeLessThan(1 / 100_000)
  })
})

/** What betting draw by draw has made of 1, on each side and at each step. */
class Bets {
  readonly sides = [1, -1].map((side) =>
    Array.from({ length: 10 }, (_, index) => ({ step: side * 2 ** (2 - index), owned: 1 })),
  )

  take(chance: number, isHit: boolean) {
    for (const bet of this.sides.flat()) {
      const odds = (chance / (1 - chance)) * Math.exp(bet.step)
      const believed = odds / (1 + odds)
      bet.owned *= isHit ? believed / chance : (1 - believed) / (1 - chance)
    }
  }

  evidence(): number[] {
    return this.sides.map((bets) =>
      Math.log(bets.reduce((sum, { owned }) => sum + owned, 0) / bets.length),
    )
  }
}

it('the sums say at every opening what betting draw by draw says, and the bounds the same', () => {
  const life = lives[1]!
  const chance = seededChance(2)
  let alarms = 0
  // Half of the worlds are unfair, so that both answers come up.
  for (let deps = 0; deps < 8; deps += 1) {
    for (const prizeId of [10, 13]) {
      const chances = chancesIn(life, prizeId)
      const bounds = quietBounds(life, prizeId, 3)
      const bets = new Bets()
      let hits = 0
      for (let n = 1; n <= life.at(-1)!.until; n += 1) {
        const { entries } = life.find(({ until }) => n <= until)!
        const index = entryAt(thresholdsOf(entries), rollOf(chance))
        if (!entries.some((entry) => entry.prizeId === prizeId)) continue
        let isHit = index !== undefined && entries[index]!.prizeId === prizeId
        if (deps % 4 === 1) isHit &&= chance() % 4 === 0
        if (deps % 4 === 3) isHit ||= chance() % 50 === 0
        if (isHit) hits += 1
        const now = drawsSoFar(chances, n, hits)
        bets.take(now.at(-1)!.chance, isHit)
        const [better, worse] = bets.evidence()
        expect(logEvidence(now, 1)).toBeCloseTo(better!, 8)
        expect(logEvidence(now, -1)).toBeCloseTo(worse!, 8)
        const alarm = better! >= alarmAt(3) || worse! >= alarmAt(3)
        expect(isAlarm(now, 3)).toBe(alarm)
        expect(hits < bounds.least[n]! || hits > bounds.most[n]!).toBe(alarm)
        if (alarm) alarms += 1
      }
    }
  }
  expect(alarms).toBeGreaterThan(100)
}, 60_000)

describe('a prize that is not drawn as published', () => {
  // For the twentieth prize; `fair` openings go before.
  it.each([
    ['10 % drawn at 12.5 %', 10, 0.125, 0],
    ['10 % drawn at 7.5 %', 10, 0.075, 0],
    ['1 % drawn at 1.5 %', 100, 0.015, 0],
    ['1 % drawn at 0.5 %', 100, 0.005, 0],
    ['1 % never drawn', 100, 0, 0],
    ['10 % drawn at 12.5 % after 20,000 fair openings', 10, 0.125, 20_000],
  ] as const)(
    'docs/economy.md says how soon: %s',
    (name, packs, real, fair) => {
      const life = [{ entries: table([1, 1, packs]), until: fair + 25_000 }]
      const found = alarmChances(quietBounds(life, 1, 20), (opening) =>
        opening <= fair ? 1 / packs : real,
      )
      const openings = [0.5, 0.95].map((share) => found.findIndex((sum) => sum >= share) - fair)
      const stated = openings.map((count) => (Math.ceil(count / 100) * 100).toLocaleString('en'))
      expect(economyPage).toContain(`| ${name} | ${stated.join(' | ')} |`)
    },
    60_000,
  )
})
