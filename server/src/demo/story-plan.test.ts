// The plan of the demo's story: the same every time, in order, and never too late.

import { describe, expect, it } from 'vitest'
import { StoryCalendar } from './story-calendar.ts'
import type { StoryAct } from './story-events.ts'
import { planStory } from './story-plan.ts'

// A Sunday, shortly before noon in UTC.
const until = new Date('2026-11-22T11:40:00.000Z')
const events = planStory({ until, days: 42 })
const calendar = new StoryCalendar({ until, days: 42 })

function kindsOf(story: ReturnType<typeof planStory>): StoryAct['kind'][] {
  return [...new Set(story.map(({ act }) => act.kind))].sort()
}

function dayOf(at: number): number {
  return Math.floor((at - calendar.startOf(0)) / 86_400_000)
}

/** Packs opened on each day. */
function openedByDay(): number[] {
  const opened = Array.from({ length: calendar.days }, () => 0)
  for (const { at, act } of events) {
    if (act.kind !== 'open') continue
    const packs = act.asks.reduce((sum, { quantity }) => sum + quantity, 0)
    opened[dayOf(at)] = (opened[dayOf(at)] ?? 0) + packs
  }
  return opened
}

const meanOf = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length

describe('six weeks', () => {
  it('are the same for the same end', () => {
    expect(planStory({ until, days: 42 })).toEqual(events)
  })

  it('go in the order of time, and end before their end', () => {
    const times = events.map(({ at }) => at)
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    expect(times.at(-1)).toBeLessThan(until.getTime())
    expect(times[0]).toBeGreaterThanOrEqual(calendar.startOf(0))
  })

  it('have busy weekends and an event night on a Friday', () => {
    const opened = openedByDay()
    const night = calendar.eventNight
    expect(calendar.weekday(night)).toBe(5)
    expect(Math.max(...opened)).toBe(opened[night])
    const usual = [...opened.keys()].filter((day) => {
      return day > 0 && day < calendar.lastDay && day !== night
    })
    const of = (days: readonly number[]) => meanOf(days.map((day) => opened[day] ?? 0))
    const weekdays = of(usual.filter((day) => !calendar.isWeekend(day)))
    expect(of(usual.filter((day) => calendar.isWeekend(day)))).toBeGreaterThan(weekdays)
  })

  it('give nobody two broadcasts at once, and everybody who watches to the end twenty beats', () => {
    const beats = new Map<string, number>()
    for (const { act } of events) {
      if (act.kind !== 'watch_on') continue
      const name = `${act.viewer} ${act.broadcast.broadcastId}`
      beats.set(name, (beats.get(name) ?? 0) + 1)
    }
    expect(Math.max(...beats.values())).toBe(20)
    expect([...beats.values()].filter((count) => count === 20).length).toBeGreaterThan(60)
  })
})

describe('a story of any length', () => {
  it.each([4, 5, 7, 14, 20, 90])('of %s days has every kind of event', (days) => {
    expect(kindsOf(planStory({ until, days }))).toEqual(kindsOf(events))
  })

  it.each([
    '2026-11-22T00:00:30.000Z',
    '2026-11-23T23:59:59.000Z',
    '2026-02-28T12:00:00.000Z',
    '2026-07-01T06:00:00.000Z',
  ])('ends in time at %s, in the middle of a broadcast', (end) => {
    const story = planStory({ until: new Date(end), days: 4 })
    expect(story.at(-1)?.at).toBeLessThan(Date.parse(end))
    const last = story.findLast(({ act }) => act.kind === 'look_at_twitch')
    expect(last?.act).toMatchObject({ live: [{}] })
  })

  it('begins with what has to be there', () => {
    expect(events[0]?.act.kind).toBe('found')
    expect(events[1]?.act).toEqual({ kind: 'join', viewer: 'pixelotter', isGreeted: false })
  })
})
