// The way out, whatever fails on it.

import { authContract } from '@redpack/contract'
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { testBegin, testNow } from '../../../../tools/test-clock.ts'
import { sampleUser } from '../../../test/samples.ts'
import { createQueryClient } from '../../app/refresher.ts'
import { realtime } from '../../lib/realtime.ts'
import { streamerMode } from '../../lib/streamer-mode.ts'
import { fallbackLogoutMs, logOut, wayOut } from './log-out.ts'
import { loggingOut } from './logging-out.ts'

type Answer = 'ok' | 'refused' | 'lost' | 'never'

let warned: MockInstance

beforeEach(() => {
  vi.useFakeTimers()
  warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
})

afterEach(() => {
  loggingOut.set(false)
})

/** A server that gives these answers, in turn, to the requests it gets. */
function serverThat(...answers: Answer[]) {
  const requests: { method: string; url: string; at: number }[] = []
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    requests.push({ method: init?.method ?? 'GET', url, at: testNow() - testBegin.getTime() })
    const answer = answers.shift() ?? 'ok'
    if (answer === 'never') return new Promise(() => {})
    if (answer === 'lost') return Promise.reject(new TypeError('Failed to fetch'))
    return Promise.resolve(
      answer === 'ok' ? Response.json({ success: true }) : new Response('no', { status: 500 }),
    )
  })
  return requests
}

function signedInBrowser() {
  const queryClient = createQueryClient()
  queryClient.setQueryData([authContract.me.path], sampleUser())
  queryClient.setQueryData(['/api/user/stats'], { totalPacks: 1, packsOpened: 2 })
  localStorage.setItem('kept', '1')
  sessionStorage.setItem('kept', '1')
  // biome-ignore lint/suspicious/noDocumentCookie: the test is about cookies
  document.cookie = 'readable=1; path=/'
  return queryClient
}

async function leave(navigate = vi.fn(), queryClient = signedInBrowser()) {
  const work = logOut(queryClient, navigate)
  await vi.advanceTimersByTimeAsync(0)
  return { queryClient, navigate, work }
}

describe('the way out', () => {
  it('first sends POST /api/auth/logout and raises the flag', async () => {
    const requests = serverThat('ok')
    await leave()
    expect(requests[0]).toMatchObject({ method: 'POST', url: '/api/auth/logout', at: 0 })
    expect(loggingOut.get()).toBe(true)
  })

  it.each<[string, Answer[], number]>([
    ['one POST that succeeds', ['ok'], 1],
    ['a direct POST when the request is refused', ['refused', 'ok'], 2],
    ['a direct POST when the request is lost', ['lost', 'ok'], 2],
    ['a direct POST that fails too', ['refused', 'lost'], 2],
  ])('sends %s, cleans up, and goes the emergency way', async (_, answers, posts) => {
    const requests = serverThat(...answers)
    const { navigate } = await leave()
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual(
      Array(posts).fill('POST /api/auth/logout'),
    )
    if (posts > 1) {
      expect(warned).toHaveBeenCalledWith('The logout request failed', expect.any(Error))
    }
    expect(localStorage.length).toBe(0)
    expect(navigate.mock.calls).toEqual([[wayOut]])
  })

  it('forces the cleanup when that way is closed too', async () => {
    serverThat('refused', 'refused')
    const navigate = vi.fn().mockImplementationOnce(() => {
      localStorage.setItem('late', '1')
      throw new Error('Blocked')
    })
    await leave(navigate)
    expect(navigate.mock.calls).toEqual([[wayOut], ['/']])
    expect(localStorage.length).toBe(0)
  })

  it.each<[string, Answer[]]>([
    ['never answers', ['never', 'ok']],
    ['has answered', ['ok', 'ok']],
    ['was lost, and so was the direct one', ['lost', 'lost', 'ok']],
  ])('fires a direct request 1000 ms after it began, when the first %s', async (_, answers) => {
    const requests = serverThat(...answers)
    await leave()
    const before = requests.length
    await vi.advanceTimersByTimeAsync(999)
    expect(requests).toHaveLength(before)
    await vi.advanceTimersByTimeAsync(1)
    expect(requests.slice(before)).toEqual([{ method: 'POST', url: '/api/auth/logout', at: 1000 }])
  })

  it('waits for a silent server no longer than 1000 ms', async () => {
    serverThat('never', 'never')
    const { navigate } = await leave()
    await vi.advanceTimersByTimeAsync(999)
    expect(navigate).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(navigate.mock.calls).toEqual([[wayOut]])
  })
})

describe('a page that was kept as it was left', () => {
  it('ends no session when it comes back, and starts anew', async () => {
    const reload = vi.fn()
    vi.stubGlobal('location', { ...window.location, reload })
    const requests = serverThat('ok')
    await leave()
    window.dispatchEvent(new Event('pagehide'))
    await vi.advanceTimersByTimeAsync(fallbackLogoutMs)
    expect(requests).toHaveLength(1)
    window.dispatchEvent(new Event('pageshow'))
    expect(reload).not.toHaveBeenCalled()
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
    expect(reload).toHaveBeenCalled()
  })
})

describe('the cleanup', () => {
  beforeEach(() => void serverThat('ok'))

  it('disconnects the realtime connection if there is one', async () => {
    const close = vi.fn()
    realtime.hold({ close })
    await leave()
    expect(close).toHaveBeenCalledOnce()
    await leave()
    expect(close).toHaveBeenCalledOnce()
  })

  it('sets the cached user to none before it empties the cache', async () => {
    const queryClient = signedInBrowser()
    const seen: unknown[] = []
    const clear = queryClient.clear.bind(queryClient)
    queryClient.clear = () => {
      seen.push(queryClient.getQueryData([authContract.me.path]))
      clear()
    }
    const { work } = await leave(vi.fn(), queryClient)
    await work
    expect(seen).toEqual([null])
  })

  it('leaves nothing in the cache, in both storages and in cookies that scripts can read', async () => {
    streamerMode.set(true)
    const { queryClient } = await leave()
    expect(queryClient.getQueryCache().getAll()).toEqual([])
    expect([Object.keys(localStorage), Object.keys(sessionStorage)]).toEqual([[], []])
    expect(document.cookie).toBe('')
  })
})
