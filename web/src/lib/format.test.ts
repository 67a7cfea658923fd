// Numbers, dates and lengths of time as people read them.

import { describe, expect, it, vi } from 'vitest'
import {
  formatDate,
  formatDateTime,
  formatDuration,
  formatList,
  formatMoment,
  formatNumber,
  formatRedCoin,
  plural,
} from './format.ts'

describe('formats', () => {
  it('groups digits as the browser does', () => {
    expect(formatNumber(1234567)).toBe((1234567).toLocaleString())
    expect(formatRedCoin(1234567)).toBe(`${(1234567).toLocaleString()} RedCoin`)
  })

  it('says how long ago something was, from a week on the day, and nothing for no moment', () => {
    const now = Date.parse('2026-11-21T12:00:00.000Z')
    vi.useFakeTimers({ now })
    const day = 86_400_000
    const said = [0, 59_999, 60_000, 5_400_000, day, 7 * day - 1, 7 * day, -2 * 3_600_000].map(
      (agoMs) => formatMoment(new Date(now - agoMs).toISOString()),
    )
    expect(said).toEqual([
      'now',
      'now',
      '1 minute ago',
      '1 hour ago',
      'yesterday',
      '6 days ago',
      'Nov 14, 2026',
      'in 2 hours',
    ])
    expect([formatMoment('not a day'), formatDate('not a day')]).toEqual(['', ''])
  })

  it('never breaks a line between a time and its AM or PM', () => {
    const text = formatDateTime('2026-11-21T12:34:00.000Z')
    expect(text).toMatch(/^\w+ 21, 2026, \d+:34\u00A0[AP]M$/)
    expect(formatDateTime('no moment')).toBe('')
  })

  it('writes lengths of time', () => {
    expect([0, 59, 60, 3600, 5400, -5].map(formatDuration)).toEqual([
      '0 s',
      '59 s',
      '1 min',
      '1 h',
      '1 h 30 min',
      '0 s',
    ])
  })

  it('lists and counts', () => {
    expect(formatList(['a', 'b', 'c'])).toContain('and')
    expect([plural(1, 'pack', 'packs'), plural(2, 'pack', 'packs')]).toEqual(['1 pack', '2 packs'])
  })
})
