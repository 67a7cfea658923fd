// Times of a schedule: New York's two clock changes, zones, and what is no time at all.

import { describe, expect, it } from 'vitest'
import { dueEdge, edgeAfterSaving, scheduledInstant } from './post-schedule.ts'

const iso = (text: string) => scheduledInstant(text)?.toISOString()

describe('a written time', () => {
  it.each([
    ['2027-01-15T20:00', '2027-01-16T01:00:00.000Z'],
    ['2027-07-15T20:00', '2027-07-16T00:00:00.000Z'],
    // Skipped in spring: one hour forward. Twice in autumn: the first.
    ['2027-03-14T02:30', '2027-03-14T07:30:00.000Z'],
    ['2027-03-14T01:59', '2027-03-14T06:59:00.000Z'],
    ['2027-03-14T03:00', '2027-03-14T07:00:00.000Z'],
    ['2027-11-07T01:30', '2027-11-07T05:30:00.000Z'],
    ['2027-11-07T00:59:30.5', '2027-11-07T04:59:30.500Z'],
    ['2027-11-07T02:00', '2027-11-07T07:00:00.000Z'],
    ['2028-02-29T12:00', '2028-02-29T17:00:00.000Z'],
    ['2027-01-15T20:00Z', '2027-01-15T20:00:00.000Z'],
    ['2027-01-15T20:00:10.25+05:30', '2027-01-15T14:30:10.250Z'],
    ['2027-01-15t20:00-0800', '2027-01-16T04:00:00.000Z'],
  ])('%s means %s', (text, expected) => {
    expect(iso(text)).toBe(expected)
  })

  it.each([
    '2027-02-29T10:00',
    '2027-13-01T10:00',
    '2027-00-10T10:00',
    '2027-04-31T10:00Z',
    '2027-01-01T24:00',
    '2027-01-01T10:60',
    '2027-01-01',
    '0000-01-01T00:00Z',
    'tomorrow',
    '',
  ])('%s is none', (text) => {
    expect(scheduledInstant(text)).toBeUndefined()
  })
})

describe('the edges of a window', () => {
  const at = (minutes: number) => new Date(Date.UTC(2027, 0, 1, 12, minutes))
  const window = { isEnabled: true, startsAt: at(10), endsAt: at(20), edgeAt: null }

  it('are due from their minute on, each once', () => {
    expect(dueEdge(window, at(9))).toBeUndefined()
    expect(dueEdge(window, at(10))).toEqual({ edgeAt: at(10), isActive: true })
    expect(dueEdge({ ...window, edgeAt: at(10) }, at(15))).toBeUndefined()
    expect(dueEdge({ ...window, edgeAt: at(10) }, at(20))).toEqual({
      edgeAt: at(20),
      isActive: false,
    })
    expect(dueEdge({ ...window, edgeAt: at(20) }, at(90))).toBeUndefined()
  })

  it('need the switch and both times', () => {
    expect(dueEdge({ ...window, isEnabled: false }, at(15))).toBeUndefined()
    expect(dueEdge({ ...window, startsAt: null }, at(15))).toBeUndefined()
    expect(dueEdge({ ...window, endsAt: null }, at(15))).toBeUndefined()
  })

  it('count as applied when the window is over as it is saved', () => {
    expect(edgeAfterSaving(at(20), at(30))).toEqual(at(20))
    expect(edgeAfterSaving(at(20), at(15))).toBeNull()
    expect(edgeAfterSaving(null, at(15))).toBeNull()
  })
})
