// The demo content holds together: fair prices, every kind of prize, and art that exists.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import {
  consolationRedCoinDefault,
  displayNameMax,
  nameMax,
  textMax,
} from '@redpack/contract/limits'
import { chancesOf } from '@redpack/fair/draw'
import { describe, expect, it } from 'vitest'
import {
  type DemoPackKey,
  demoListings,
  demoPackTypes,
  demoPrizes,
  demoStreams,
} from './catalogue.ts'
import { demoViewers } from './viewers.ts'

const publicFolder = new URL('../../../web/public/', import.meta.url)
const prizeArtFolder = new URL('../../assets/demo/', import.meta.url)
const keys = demoPackTypes.map((type) => type.key)

function priceOf(packType: DemoPackKey): number {
  return demoListings.find((listing) => listing.packType === packType)!.redCoinPrice
}

/** Real chances of one pack type, and its prizes in the same order. */
function oddsOf(packType: DemoPackKey) {
  const prizes = demoPrizes.filter((prize) => prize.packTypes.includes(packType))
  const entries = prizes.map((prize, index) => ({ ...prize, prizeId: index + 1 }))
  const { chances, scaled } = chancesOf(entries)
  const winChance = chances.reduce((sum, chance) => sum + chance, 0)
  return { prizes, chances, scaled, winChance }
}

describe('chances and prices', () => {
  it.each(keys)('the chances of the %s pack stay well below 1', (key) => {
    const { scaled, winChance } = oddsOf(key)
    expect(scaled).toBe(false)
    expect(winChance).toBeGreaterThan(0.2)
    expect(winChance).toBeLessThan(0.9)
  })

  it.each(keys)('a %s pack pays back less RedCoin than it costs, bonus packs included', (key) => {
    const { prizes, chances, winChance } = oddsOf(key)
    const won = prizes.reduce((sum, prize, index) => {
      const packs = prize.packReward
      const packValue = packs === null ? 0 : priceOf(packs.packType) * packs.quantity
      return sum + (chances[index] ?? 0) * (prize.redCoinAmount + packValue)
    }, 0)
    expect(won + (1 - winChance) * consolationRedCoinDefault).toBeLessThan(priceOf(key))
  })

  it('one pack type wins most of the time, so that a demo is fun', () => {
    expect(Math.max(...keys.map((key) => oddsOf(key).winChance))).toBeGreaterThan(0.75)
  })
})

describe('every kind is there', () => {
  it('of prizes and of listings: without a limit, limited, out of stock, and a pack as prize', () => {
    const physical = demoPrizes.filter((prize) => prize.redCoinAmount === 0 && !prize.packReward)
    const stocks = (quantities: (number | null)[]) =>
      new Set(quantities.map((quantity) => (quantity === null ? null : Math.sign(quantity))))
    const every = new Set([null, 0, 1])
    expect(stocks(physical.map((prize) => prize.inventoryQuantity))).toEqual(every)
    expect(stocks(demoListings.map((listing) => listing.quantityAvailable))).toEqual(every)
    expect(demoPrizes.some((prize) => prize.packReward !== null)).toBe(true)
  })

  it('streams: one live, 30 to 120 minutes, paying RedCoin and packs', () => {
    expect(demoStreams.filter((stream) => stream.isLive)).toHaveLength(1)
    for (const stream of demoStreams) {
      expect(stream.watchTimeRequiredSeconds).toBeGreaterThanOrEqual(30 * 60)
      expect(stream.watchTimeRequiredSeconds).toBeLessThanOrEqual(120 * 60)
      expect(stream.rewardRedCoinAmount).toBeGreaterThan(0)
      expect(stream.rewards.length).toBeGreaterThan(0)
      expect(stream.completionMessage).toContain('{username}')
      expect(new URL(stream.channelUrl).hostname).toMatch(/\.example$/)
    }
  })
})

describe('viewers', () => {
  it('at least 25 are ranked, the founders richest first, under names of their own', () => {
    expect(demoViewers.length).toBeGreaterThanOrEqual(25)
    const given = demoViewers.map((viewer) => viewer.startingRedCoin)
    expect(given).toEqual([...new Set(given)].sort((a, b) => b - a))
    expect(Math.min(...given)).toBeGreaterThan(0)
    for (const key of ['username', 'twitchId'] as const) {
      expect(new Set(demoViewers.map((viewer) => viewer[key])).size).toBe(demoViewers.length)
    }
  })

  it('names and texts fit the limits of the product', () => {
    for (const viewer of demoViewers) {
      expect(viewer.displayName.length).toBeLessThanOrEqual(displayNameMax)
    }
    for (const named of [...demoPackTypes, ...demoPrizes]) {
      expect(named.name.length).toBeLessThanOrEqual(nameMax)
      expect(named.description.length).toBeLessThanOrEqual(textMax)
    }
    for (const prize of demoPrizes) expect(prize.claimInstructions).not.toBe('')
    // Two lines of the narrowest card.
    for (const { description } of demoPackTypes) expect(description.length).toBeLessThanOrEqual(33)
  })
})

describe('art', () => {
  it.each([...new Set(demoPrizes.map((prize) => prize.artFile))])('%s is a small WebP', (file) => {
    const bytes = readFileSync(new URL(file, prizeArtFolder))
    expect(bytes.toString('latin1', 0, 4)).toBe('RIFF')
    expect(bytes.toString('latin1', 8, 12)).toBe('WEBP')
    expect(bytes.length).toBeLessThan(12_000)
  })

  it.each(demoPackTypes)('$name has a picture of 5 to 6', ({ imageUrl }) => {
    const svg = readFileSync(new URL(`.${imageUrl}`, publicFolder), 'utf8')
    expect(svg).toContain('viewBox="0 0 200 240"')
  })

  it('every viewer has a picture', () => {
    for (const { avatar } of demoViewers) {
      expect(existsSync(new URL(`.${avatar}`, publicFolder)), avatar).toBe(true)
    }
  })

  it('drawings are small, self-contained, and share no id', () => {
    const art = new URL('art/', publicFolder)
    const files = readdirSync(art).filter((file) => file.endsWith('.svg'))
    expect(files.length).toBeGreaterThan(25)
    for (const file of files) {
      const svg = readFileSync(new URL(file, art), 'utf8')
      expect(svg.length, file).toBeLessThan(14_000)
      expect(svg, file).not.toMatch(/<(script|text|image|style|foreignObject)|href="[^#]| on\w+=/)
      for (const [, id] of svg.matchAll(/ id="([^"]*)"/g)) {
        expect(id?.startsWith(`${file.replace('.svg', '')}-`), `${file} ${id}`).toBe(true)
      }
    }
  })
})
