// What a letter says and where it leads.

import { describe, expect, it } from 'vitest'
import { discordTextOf, letterOf, pushOf } from './letters.ts'

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

it.each(['Cap', 'Caps'])('cuts no character of a long name in two (%s)', (name) => {
  const won = { subject: name + '🧢'.repeat(190), status: null, amount: 0 }
  const letter = letterOf('prize_won', Array(10).fill(won))
  const { title, body } = pushOf(letter)
  for (const text of [title, body, discordTextOf(letter, 'https://packs.example')]) {
    expect(text).toContain('…')
    expect(text).not.toMatch(/\p{Surrogate}/u)
  }
})
