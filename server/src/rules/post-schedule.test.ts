// Instants of scheduled hours, judged by another implementation of the zone, and the slots made
// from them.

import { CalendarDateTime, fromDate, toZoned } from '@internationalized/date'
import { describe, expect, it } from 'vitest'
import { everyday } from '../../test/everyday.ts'
import {
  dueSlot,
  easternInstant,
  easternWall,
  expiryOfSlot,
  expiryOfTest,
  nextSlot,
  postingHours,
} from './post-schedule.ts'

const zone = 'America/New_York'
const iso = (date: Date | undefined) => date?.toISOString()

describe('the wall clock of New York', () => {
  it('agrees with another implementation through eleven years, at every half hour of days that change', () => {
    const wrong: string[] = []
    for (let days = 0; days < 11 * 366; days += 1) {
      const date = new Date(Date.UTC(2020, 0, 1 + days))
      // Clocks change on a Sunday of March or November.
      const isMonth = everyday([2, 10].includes(date.getUTCMonth()), true)
      const isEveryHalf = isMonth && date.getUTCDay() === 0
      for (let half = 0; half < 48; half += isEveryHalf ? 1 : 13) {
        const [hour, minute] = [Math.floor(half / 2), (half % 2) * 30]
        const [year, month, day] = [
          date.getUTCFullYear(),
          date.getUTCMonth() + 1,
          date.getUTCDate(),
        ]
        const wall = { year, month, day, hour, minute }
        const other = toZoned(new CalendarDateTime(year, month, day, hour, minute), zone)
        const ours = easternInstant(wall)
        const back = fromDate(ours, zone)
        const shown = easternWall(ours)
        const isSame =
          ours.getTime() === other.toDate().getTime() &&
          shown.day === back.day &&
          shown.hour === back.hour &&
          shown.minute === back.minute
        if (!isSame) wrong.push(JSON.stringify(wall))
      }
    }
    expect(wrong).toEqual([])
  })
})

describe('posting hours', () => {
  it.each([
    [
      [6, 12, 18, 24],
      [2, 8, 14, 20],
    ],
    [
      [2, 8, 14, 20],
      [2, 8, 14, 20],
    ],
    [
      [6, 12, 18],
      [6, 12, 18],
    ],
    [
      [24, 0, 9, 9],
      [0, 9],
    ],
    [[], []],
  ])('%j are the hours %j in New York', (stored, hours) => {
    expect(postingHours(stored)).toEqual(hours)
  })
})

describe('slots', () => {
  /** Every slot between two instants, by asking for the next one again and again. */
  function slotsBetween(stored: number[], from: string, until: string): string[] {
    const slots: string[] = []
    let slot = nextSlot(stored, new Date(from))
    while (slot !== undefined && slot < new Date(until)) {
      slots.push(slot.toISOString())
      slot = nextSlot(stored, slot)
    }
    return slots
  }

  it('come at 02:00, 08:00, 14:00 and 20:00 by default, also on the day that has no 02:00', () => {
    expect(slotsBetween([6, 12, 18, 24], '2027-03-14T05:00:00Z', '2027-03-15T07:00:00Z')).toEqual([
      '2027-03-14T07:00:00.000Z',
      '2027-03-14T12:00:00.000Z',
      '2027-03-14T18:00:00.000Z',
      '2027-03-15T00:00:00.000Z',
      '2027-03-15T06:00:00.000Z',
    ])
  })

  it('are one where a clock change makes two hours one instant', () => {
    expect(slotsBetween([2, 3], '2027-03-14T00:00:00Z', '2027-03-15T00:00:00Z')).toEqual([
      '2027-03-14T07:00:00.000Z',
    ])
  })

  it('never come twice or go missing in two years: one a day for one hour', () => {
    for (const hour of [0, 1, 2, 3, 12, 23, 24]) {
      const slots = slotsBetween([hour], '2026-01-01T12:00:00Z', '2028-01-01T12:00:00Z')
      expect([hour, slots.length]).toEqual([hour, 730])
    }
  })

  it('do not come without hours', () => {
    expect(nextSlot([], new Date(0))).toBeUndefined()
    expect(dueSlot([], new Date(0))).toBeUndefined()
  })
})

describe('a message', () => {
  const defaults = [6, 12, 18, 24]

  it('is open until the next slot, at the latest for 24 hours', () => {
    const slot = new Date('2027-01-15T07:00:00Z')
    expect(iso(expiryOfSlot(defaults, slot))).toBe('2027-01-15T13:00:00.000Z')
    expect(iso(expiryOfSlot([2], slot))).toBe('2027-01-16T07:00:00.000Z')
    // The autumn day has 25 hours.
    const autumn = new Date('2026-11-01T05:00:00Z')
    expect(iso(expiryOfSlot([1], autumn))).toBe('2026-11-02T05:00:00.000Z')
  })

  it('of a test is open for an hour', () => {
    const now = new Date('2027-01-15T07:00:00Z')
    expect(iso(expiryOfTest(now))).toBe('2027-01-15T08:00:00.000Z')
  })
})

describe('the due slot', () => {
  const due = (now: string) => iso(dueSlot([6, 12, 18, 24], new Date(now))?.slot)

  it('is the latest one, never one that is still to come', () => {
    expect(due('2027-01-15T06:54:00Z')).toBe('2027-01-15T01:00:00.000Z')
    expect(due('2027-01-15T07:00:00Z')).toBe('2027-01-15T07:00:00.000Z')
    expect(due('2027-01-15T12:54:59Z')).toBe('2027-01-15T07:00:00.000Z')
  })

  it('is none when its message would be over at once', () => {
    expect(due('2027-01-15T12:56:00Z')).toBeUndefined()
  })
})
