// Schedules in US Eastern time: labels, the form of the input, and the two days of clock changes.

import { describe, expect, it } from 'vitest'
import { easternInputOf, easternLabel, enteredTime, formatEastern } from './eastern-time.ts'

const winter = '2027-01-15T19:00:00.000Z'
const summer = '2027-07-15T18:00:00.000Z'
const entered = (input: string) => enteredTime(input)?.moment.toISOString()

describe('a time', () => {
  it('is shown in Eastern time, EST in January and EDT in July', () => {
    expect(easternLabel(new Date(winter))).toBe('EST')
    expect(easternLabel(new Date(summer))).toBe('EDT')
    expect(formatEastern(winter)).toBe('Fri, Jan 15, 2027, 2:00 PM EST')
    expect(formatEastern(summer)).toBe('Thu, Jul 15, 2027, 2:00 PM EDT')
  })

  it('has the form year-month-dayThour:minute in the input, and comes back as it was', () => {
    expect(easternInputOf(winter)).toBe('2027-01-15T14:00')
    expect(easternInputOf(summer)).toBe('2027-07-15T14:00')
    expect(easternInputOf(null)).toBe('')
    expect(entered('2027-01-15T14:00')).toBe(winter)
    expect(entered('2027-07-15T14:00')).toBe(summer)
  })

  it('that is skipped in spring moves one hour forward', () => {
    expect(enteredTime('2027-03-14T02:30')).toEqual({
      moment: new Date('2027-03-14T07:30:00.000Z'),
      note: 'skipped',
    })
  })

  it('that comes twice in autumn means the first', () => {
    expect(enteredTime('2026-11-01T01:30')).toEqual({
      moment: new Date('2026-11-01T05:30:00.000Z'),
      note: 'twice',
    })
    expect(enteredTime('2026-11-01T02:30')?.note).toBeUndefined()
  })

  it.each(['', 'soon', '2027-01-15', '2027-13-01T00:00', '2027-06-31T00:00', '2027-01-15T25:00'])(
    'is nothing yet for %j',
    (input) => {
      expect(enteredTime(input)).toBeUndefined()
    },
  )
})
