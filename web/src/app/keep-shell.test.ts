// Which files of the first visit are brought past the worker that came after them.

import { afterEach, describe, expect, it, vi } from 'vitest'
import { keepLoaded } from './keep-shell.ts'

interface Entry {
  readonly name: string
  readonly workerStart: number
}

/** A page whose files are told of one after the other. */
function pageOf(fetching: () => Promise<unknown>) {
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
  const fetched = vi.fn(fetching)
  vi.stubGlobal('fetch', fetched)
  return { fetched, loads: (...entries: readonly Entry[]) => tell(entries) }
}

const file = (path: string, workerStart = 0): Entry => ({
  name: new URL(path, location.origin).href,
  workerStart,
})

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('files that were loaded before there was a worker', () => {
  it('are asked for through it, also those that arrive after it', () => {
    const { fetched, loads } = pageOf(async () => new Response())
    keepLoaded(() => undefined)
    loads(file('/assets/dashboard-1.js'), file('/api/auth/me'))
    loads(file('/assets/card-2.js'))
    expect(fetched.mock.calls).toEqual([
      [file('/assets/dashboard-1.js').name],
      [file('/assets/card-2.js').name],
    ])
  })

  it('are asked for once, and never when the worker has seen them', () => {
    const { fetched, loads } = pageOf(async () => new Response())
    keepLoaded(() => undefined)
    loads(file('/assets/dashboard-1.js'), file('/assets/store-3.js', 12))
    loads(file('/assets/dashboard-1.js'))
    expect(fetched).toHaveBeenCalledTimes(1)
  })

  it('are missed with a word when they cannot be had', async () => {
    const { loads } = pageOf(() => Promise.reject(new TypeError('no network')))
    const failures = vi.fn()
    keepLoaded(failures)
    loads(file('/assets/dashboard-1.js'))
    await vi.waitFor(() => expect(failures).toHaveBeenCalledOnce())
  })
})
