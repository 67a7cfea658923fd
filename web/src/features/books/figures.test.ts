// What the overview works out from the statistics.

import { describe, expect, it } from 'vitest'
import {
  averageRedCoins,
  booksText,
  growthPercent,
  uptimeText,
  winRatePercent,
} from './overview-panel.tsx'

const none = {
  totalUsers: 0,
  activeUsers: 0,
  totalRedCoins: 0,
  packsOpenedToday: 0,
  prizesClaimedToday: 0,
}

describe('the win rate today', () => {
  it.each([
    [1, 3, 33],
    [2, 3, 67],
    [5, 5, 100],
    [0, 0, 0],
    [4, 0, 0],
  ])('is prizes claimed by packs opened: %i of %i reads %i%', (claimed, opened, rate) => {
    const counts = { ...none, prizesClaimedToday: claimed, packsOpenedToday: opened }
    expect(winRatePercent(counts)).toBe(rate)
  })
})

describe('RedCoins and users', () => {
  it('average is rounded', () => {
    expect(averageRedCoins({ ...none, totalRedCoins: 1000, totalUsers: 3 })).toBe(333)
    expect(averageRedCoins({ ...none, totalRedCoins: 5, totalUsers: 2 })).toBe(3)
    expect(averageRedCoins(none)).toBe(0)
  })

  it('growth is new users of all users', () => {
    expect(growthPercent({ ...none, activeUsers: 1, totalUsers: 8 })).toBe(13)
    expect(growthPercent(none)).toBe(0)
  })
})

describe('server health', () => {
  it('shows uptime in hours and minutes', () => {
    expect(uptimeText(3725)).toBe('1 hour 2 minutes')
    expect(uptimeText(59)).toBe('0 hours 0 minutes')
    expect(uptimeText(90_060)).toBe('25 hours 1 minute')
  })

  it('says what the check of the books found', () => {
    expect(booksText({ drift: null })).toBeUndefined()
    expect(booksText({ drift: 0 })).toBe('OK')
    expect(booksText({ drift: 1 })).toBe('1 check failed')
  })
})
