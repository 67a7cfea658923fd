import { describe, expect, it } from 'vitest'
import { movableClock } from '../clock/clock.ts'
import { localEvents } from '../events/events.ts'
import { ResponseCache } from './response-cache.ts'

function scene(entriesMax = 2) {
  const clock = movableClock({ now: () => new Date('2026-03-01T12:00:00Z') })
  const events = localEvents((error) => {
    throw error
  })
  const ready = new ResponseCache<string, unknown>(
    { clock, events },
    { isStaleAfter: ({ type }) => type === 'theme_changed', entriesMax },
  )
  let builds = 0
  const build = async () => {
    builds += 1
    return { build: builds }
  }
  const read = async (key = 'a') => JSON.parse((await ready.get(key, build)).body.toString()).build
  return { clock, events, ready, read }
}

describe('a ready answer', () => {
  it('is built once until an event or a second passes', async () => {
    const { clock, events, read } = scene()
    expect([await read(), await read()]).toEqual([1, 1])
    events.publish({ type: 'streams_changed' })
    expect(await read()).toBe(1)
    events.publish({ type: 'theme_changed' })
    expect(await read()).toBe(2)
    clock.advance(1)
    expect(await read()).toBe(2)
    clock.advance(0.1)
    expect(await read()).toBe(3)
  })

  it('is shared by requests that arrive together', async () => {
    const { read } = scene()
    expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1])
  })

  it('is shared by requests that arrive during a long build, and kept for a second after it', async () => {
    const { clock, ready } = scene()
    const finish: ((value: string) => void)[] = []
    const build = () => new Promise<string>((resolve) => finish.push(resolve))
    const first = ready.get('a', build)
    clock.advance(1.1)
    const second = ready.get('a', build)
    expect(finish).toHaveLength(1)
    finish[0]?.('long')
    expect([await first, await second].map(({ body }) => `${body}`)).toEqual(['"long"', '"long"'])
    clock.advance(1)
    expect(await ready.get('a', build)).toBe(await first)
    clock.advance(0.1)
    void ready.get('a', build)
    expect(finish).toHaveLength(2)
  })

  it('is not shared with a request that arrives after a change', async () => {
    const { events, ready } = scene()
    const finish: ((value: string) => void)[] = []
    const build = () => new Promise<string>((resolve) => finish.push(resolve))
    const before = ready.get('a', build)
    events.publish({ type: 'theme_changed' })
    const after = ready.get('a', build)
    finish[1]?.('new')
    finish[0]?.('old')
    expect((await before).body.toString()).toBe('"old"')
    expect((await after).body.toString()).toBe('"new"')
    expect((await ready.get('a', build)).body.toString()).toBe('"new"')
  })

  it('is kept for a few keys, the oldest goes first', async () => {
    const { read } = scene(2)
    expect([await read('a'), await read('b'), await read('c')]).toEqual([1, 2, 3])
    expect([await read('c'), await read('b'), await read('a')]).toEqual([3, 2, 4])
  })

  it('is built anew after a build that failed', async () => {
    const { ready, read } = scene()
    await expect(ready.get('a', () => Promise.reject(new Error('no database')))).rejects.toThrow(
      'no database',
    )
    expect(await read('a')).toBe(1)
  })

  it('has the same name exactly while it has the same content', async () => {
    const { events, ready } = scene()
    const etag = async (value: unknown) => {
      events.publish({ type: 'theme_changed' })
      return (await ready.get('a', async () => value)).etag
    }
    expect(await etag([1])).toBe(await etag([1]))
    expect(await etag([1])).not.toBe(await etag([2]))
  })
})
