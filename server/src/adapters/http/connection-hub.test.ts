// What open pages are told: their own changes soon, those of everybody once a second.

import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Connection, ConnectionHub } from './connection-hub.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'] })
})

class Page implements Connection {
  readonly messages: Buffer[] = []
  closedWith: string | undefined
  bufferedAmount = 0

  send(message: Buffer): void {
    this.messages.push(message)
  }
  close(_code: number, reason: string): void {
    this.closedWith = reason
  }
  heard(): string[][] {
    return this.messages.map((one) => JSON.parse(one.toString()).changed as string[])
  }
}

function openPages(hub: ConnectionHub, count: number): Page[] {
  return Array.from({ length: count }, (_, index) => {
    const page = new Page()
    hub.add(page, index + 1, `session-${index}`)
    return page
  })
}

describe('what concerns everybody', () => {
  it('is told once a second at most, however much happens, and the last change always', async () => {
    const hub = new ConnectionHub()
    const pages = openPages(hub, 3)
    for (let millis = 0; millis < 3_000; millis += 10) {
      hub.take({ type: 'leaderboard_changed' })
      await vi.advanceTimersByTimeAsync(10)
    }
    for (const page of pages) expect(page.messages.length).toBeLessThanOrEqual(4)
    const before = pages.map(({ messages }) => messages.length)
    hub.take({ type: 'streams_changed' })
    await vi.advanceTimersByTimeAsync(1_100)
    pages.forEach((page, index) => {
      expect(page.heard().slice(before[index]).flat()).toContain('streams')
    })
  })

  it('is one message made once for all, also for a crowd that is told in several goes', async () => {
    const hub = new ConnectionHub()
    const pages = openPages(hub, 1_201)
    hub.take({ type: 'catalogue_changed', what: 'listings' })
    hub.take({ type: 'leaderboard_changed' })
    await vi.advanceTimersByTimeAsync(50)
    // Other work has its turn in between, here and where the messages are read.
    const told = pages.filter(({ messages }) => messages.length > 0)
    expect(told.length).toBeGreaterThan(0)
    expect(told.length).toBeLessThan(pages.length)
    await vi.waitFor(() => expect(pages.at(-1)!.messages).toHaveLength(1))
    expect(new Set(pages.flatMap(({ messages }) => messages)).size).toBe(1)
    expect(pages[0]!.heard()).toEqual([['listings', 'leaderboard']])
  })

  it('includes what each of a great many users holds, as one message', async () => {
    const hub = new ConnectionHub()
    const pages = openPages(hub, 3)
    hub.take({ type: 'everybody_changed' })
    await vi.advanceTimersByTimeAsync(50)
    for (const page of pages) expect(page.heard()).toEqual([['user', 'holdings']])
  })

  it('that changes while a crowd is being told is told a second later', async () => {
    const hub = new ConnectionHub()
    const pages = openPages(hub, 1_201)
    hub.take({ type: 'leaderboard_changed' })
    await vi.advanceTimersByTimeAsync(50)
    hub.take({ type: 'leaderboard_changed' })
    await vi.waitFor(() => expect(pages.at(-1)!.messages).toHaveLength(1))
    // The rest of the crowd has its turn before the second is counted.
    await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(1_000)
    await vi.waitFor(() => expect(pages.at(-1)!.messages).toHaveLength(2))
  })
})

describe('what concerns one user', () => {
  it('reaches the pages of that user and nobody else, gathered for 50 ms', async () => {
    const hub = new ConnectionHub()
    const [first, second] = openPages(hub, 2)
    hub.take({ type: 'user_changed', userId: 1 })
    hub.take({ type: 'holdings_changed', userId: 1 })
    await vi.advanceTimersByTimeAsync(50)
    expect(first!.heard()).toEqual([['user', 'holdings']])
    expect(second!.messages).toEqual([])
  })

  it('is not held back by what everybody was just told', async () => {
    const hub = new ConnectionHub()
    const [page] = openPages(hub, 1)
    hub.take({ type: 'leaderboard_changed' })
    await vi.advanceTimersByTimeAsync(50)
    hub.take({ type: 'leaderboard_changed' })
    hub.take({ type: 'user_changed', userId: 1 })
    await vi.advanceTimersByTimeAsync(50)
    expect(page!.heard()).toEqual([['leaderboard'], ['user']])
  })
})

describe('a page that reads too slowly', () => {
  it('is closed instead of written to, and the others are told', async () => {
    const hub = new ConnectionHub()
    const [slow, quick] = openPages(hub, 2)
    slow!.bufferedAmount = 300_000
    hub.take({ type: 'leaderboard_changed' })
    await vi.advanceTimersByTimeAsync(50)
    expect(slow!.messages).toEqual([])
    expect(slow!.closedWith).toBe('Too slow')
    expect(quick!.messages).toHaveLength(1)
    expect(hub.figures().closed.get('too_slow')).toBe(1)
  })
})

it('a page that has gone is told nothing more', async () => {
  const hub = new ConnectionHub()
  const page = new Page()
  const leave = hub.add(page, 1, 'session')
  hub.take({ type: 'user_changed', userId: 1 })
  hub.take({ type: 'leaderboard_changed' })
  leave?.()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(page.messages).toEqual([])
  expect(hub.isEmpty()).toBe(true)
})
