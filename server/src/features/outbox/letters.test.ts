// What a letter says and where it leads.

import { describe, expect, it } from 'vitest'
import { letterOf } from './letters.ts'

describe('news of what staff gave or took', () => {
  const packs = { subject: 'packs', status: null, amount: -2 }
  const coins = { subject: null, status: null, amount: 5 }

  it.each(['granted', 'taken'] as const)('leads to where it can be seen (%s)', (kind) => {
    const placeOf = (...news: Parameters<typeof letterOf>[1]) => letterOf(kind, news).button?.path
    expect(placeOf(packs)).toBe('/inventory')
    expect(placeOf(packs, packs)).toBe('/inventory')
    expect(placeOf(coins)).toBe('/history')
    expect(placeOf(packs, coins)).toBe('/history')
  })

  it('names what it is', () => {
    expect(letterOf('taken', [packs]).subject).toBe('Staff took back 2 packs')
    expect(letterOf('granted', [coins]).subject).toBe('You received 5 RedCoin')
  })
})

it.each([
  ['code_ready', '/my-prizes'],
  ['stream_live', '/twitch-streams'],
] as const)('news of what is called packs leads where its kind does (%s)', (kind, path) => {
  const news = { subject: 'packs', status: null, amount: 0 }
  expect(letterOf(kind, [news]).button).toMatchObject({ path })
})
