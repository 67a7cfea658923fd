// When a message may go out, and how long it is tried.

import { describe, expect, it } from 'vitest'
import { paceOf, quietUntil } from './deliver.ts'
import { nextTryAt } from './send-messages.ts'

const at = (time: string) => new Date(`2026-11-24T${time}:00.000Z`)
const night = { from: '22:00', until: '07:30' }

describe('quiet hours', () => {
  it.each([
    ['21:59', 'UTC', undefined],
    ['22:00', 'UTC', new Date('2026-11-25T07:30:00.000Z')],
    ['03:00', 'UTC', at('07:30')],
    ['07:30', 'UTC', undefined],
    // Eight in the evening in Berlin is no night yet, ten is.
    ['20:30', 'Europe/Berlin', undefined],
    ['21:30', 'Europe/Berlin', new Date('2026-11-25T06:30:00.000Z')],
    ['23:00', 'Nowhere/At-All', new Date('2026-11-25T07:30:00.000Z')],
  ] as const)('at %s in %s end at %s', (now, zone, until) => {
    expect(quietUntil(at(now), night, zone)).toEqual(until)
  })

  it('may lie within a day, and none are none', () => {
    const noon = { from: '12:00', until: '13:00' }
    expect(quietUntil(at('12:30'), noon, 'UTC')).toEqual(at('13:00'))
    expect(quietUntil(at('13:30'), noon, 'UTC')).toBeUndefined()
    expect(quietUntil(at('12:30'), { from: '12:00', until: '12:00' }, 'UTC')).toBeUndefined()
    expect(quietUntil(at('12:30'), undefined, 'UTC')).toBeUndefined()
  })
})

describe('messages of one kind', () => {
  const recent = (count: number) => Array.from({ length: count }, (_, n) => at(`10:0${n}`))

  it('go out one by one up to five in an hour', () => {
    expect(paceOf([], 5)).toEqual({ do: 'send' })
    expect(paceOf(recent(4), 1)).toEqual({ do: 'send' })
  })

  it('become one when there are more, and wait when five went out', () => {
    expect(paceOf([], 6)).toEqual({ do: 'bundle' })
    expect(paceOf(recent(4), 2)).toEqual({ do: 'bundle' })
    expect(paceOf(recent(5), 1)).toEqual({ do: 'wait', until: at('11:00') })
  })
})

it('a far side that fails is asked again with growing waits, for a day', () => {
  const first = at('00:00')
  const backoff = { firstMillis: 30_000, mostMillis: 3_600_000 }
  const next = (now: Date, attempts: number, waitSeconds?: number) =>
    nextTryAt(now, { attempts, firstTriedAt: first }, backoff, waitSeconds)
  const wait = (attempts: number) => next(first, attempts)!.getTime() - first.getTime()
  expect([1, 2, 3, 8, 30].map(wait)).toEqual([30_000, 60_000, 120_000, 3_600_000, 3_600_000])
  expect(next(first, 9, 3)).toEqual(new Date(first.getTime() + 3_000))
  expect(next(at('23:59'), 9)).toBeDefined()
  expect(next(new Date(first.getTime() + 86_400_000), 9)).toBeUndefined()
})
