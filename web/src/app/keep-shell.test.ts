// Which files of the first visit are brought past the worker that came after them.

import { afterEach, describe, expect, it, vi } from 'vitest'
import { keepLoaded } from './keep-shell.ts'

interface Entry {
  readonly name: string
  readonly responseStatus: number
}

/** A page whose files are told of one after the other, and what its worker has kept of them. */
function pageOf(fetching: () => Promise<unknown>, kept: readonly string[] = []) {
  let tell: (entries: readonly Entry[]) => void = () => undefined
  vi.stubGlobal(
    'PerformanceObserver',
    class {
      constructor(callback: (list: { getEntries(): readonly Entry[] }) => void) {
        tell = (entries) => callback({ getEntries: () => entries })
      }
      observe() {}
    },
  )
  vi.stubGlobal('caches', {
    match: async (name: string) =>
      kept.includes(new URL(name).pathname) ? new Response() : undefined,
  })
  const fetched = vi.fn(fetching)
  vi.stubGlobal('fetch', fetched)
  return { fetched, loads: (...entries: readonly Entry[]) => tell(entries) }
}

const file = (path: string, responseStatus = 200): Entry => ({
  name: new URL(path, location.origin).href,
  responseStatus,
})

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('files that were loaded before there was a worker', () => {
  it('are asked for through it, also those that arrive after it', async () => {
    const { fetched, loads } = pageOf(async () => new Response())
    keepLoaded(() => undefined)
    loads(file('/assets/dashboard-1.js'), file('/api/auth/me'))
    loads(file('/assets/card-2.js'))
    await expect
      .poll(() => fetched.mock.calls)
      .toEqual([[file('/assets/dashboard-1.js').name], [file('/assets/card-2.js').name]])
  })

  it('are asked for once, and not when they are kept or could not be had', async () => {
    const { fetched, loads } = pageOf(async () => new Response(), ['/assets/store-3.js'])
    keepLoaded(() => undefined)
    loads(file('/assets/store-3.js'), file('/assets/lost-4.js', 0))
    loads(file('/assets/dashboard-1.js'))
    loads(file('/assets/dashboard-1.js'))
    loads(file('/assets/last-5.js'))
    await expect
      .poll(() => fetched.mock.calls)
      .toEqual([[file('/assets/dashboard-1.js').name], [file('/assets/last-5.js').name]])
  })

  it('are missed with a word when they cannot be had', async () => {
    const { loads } = pageOf(() => Promise.reject(new TypeError('no network')))
    const failures = vi.fn()
    keepLoaded(failures)
    loads(file('/assets/dashboard-1.js'))
    await expect.poll(() => failures.mock.calls.length).toBe(1)
  })
})
