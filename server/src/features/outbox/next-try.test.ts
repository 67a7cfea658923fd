// How long a message is tried.

import { expect, it } from 'vitest'
import { nextTryAt } from './send-messages.ts'

it('a far side that fails is asked again with growing waits, for a day', () => {
  const first = new Date('2026-11-24T00:00:00.000Z')
  const backoff = { firstMillis: 30_000, mostMillis: 3_600_000 }
  const next = (now: Date, attempts: number, waitSeconds?: number) =>
    nextTryAt(now, { attempts, firstTriedAt: first }, backoff, waitSeconds)
  const wait = (attempts: number) => next(first, attempts)!.getTime() - first.getTime()
  expect([1, 2, 3, 8, 30].map(wait)).toEqual([30_000, 60_000, 120_000, 3_600_000, 3_600_000])
  expect(next(first, 9, 3)).toEqual(new Date(first.getTime() + 3_000))
  expect(next(new Date(first.getTime() + 86_340_000), 9)).toBeDefined()
  expect(next(new Date(first.getTime() + 86_400_000), 9)).toBeUndefined()
})
