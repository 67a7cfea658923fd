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

  it('says how long ago something was, in days of the calendar, from a week on the day', () => {
    const said = (...[at, now = new Date(2026, 10, 21, 12)]: [Date, Date?]) => {
      vi.useFakeTimers({ now })
      return formatMoment(at.toISOString())
    }
    expect([
      said(new Date(2026, 10, 21, 12)),
      said(new Date(2026, 10, 21, 11, 59, 0, 1)),
      said(new Date(2026, 10, 21, 11, 59)),
      said(new Date(2026, 10, 21, 10, 30)),
      said(new Date(2026, 10, 20, 23), new Date(2026, 10, 21, 1)),
      said(new Date(2026, 10, 20, 1)),
      said(new Date(2026, 10, 19, 23)),
      said(new Date(2026, 10, 15, 1)),
      said(new Date(2026, 10, 14, 23)),
      said(new Date(2026, 10, 21, 14)),
      said(new Date(2026, 10, 23, 1)),
    ]).toEqual([
      'just now',
      'just now',
      '1 minute ago',
      '1 hour ago',
      '2 hours ago',
      'yesterday',
      '2 days ago',
      '6 days ago',
      'Nov 14, 2026',
      'in 2 hours',
      'in 2 days',
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

  it('keeps to the language of the page in words where the browser speaks another', async () => {
    const german = (Format: typeof Intl.ListFormat | typeof Intl.RelativeTimeFormat) => ({
      value: new Proxy(Format, {
        construct: (Real, [locales = 'de', options]) => new Real(locales, options),
      }),
    })
    const formats = {
      ListFormat: german(Intl.ListFormat),
      RelativeTimeFormat: german(Intl.RelativeTimeFormat),
    }
    vi.stubGlobal('Intl', Object.create(Intl, formats))
    vi.resetModules()
    const fresh = await import('./format.ts')
    vi.useFakeTimers({ now: new Date(2026, 10, 21, 12), toFake: ['Date'] })
    expect([
      fresh.formatMoment(new Date(2026, 10, 21, 11).toISOString()),
      fresh.formatMoment(new Date(2026, 10, 20, 11).toISOString()),
      fresh.formatList(['3 packs', '150 RedCoin']),
    ]).toEqual(['1 hour ago', 'yesterday', '3 packs and 150 RedCoin'])
  })
})
