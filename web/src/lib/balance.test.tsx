// The rules of the balance on screen.

import { authContract, packsContract, usersContract } from '@redpack/contract'
import { act, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { sampleUser } from '../../test/samples.ts'
import {
  announceBalance,
  balanceEvent,
  cacheBalance,
  forcedRefreshMs,
  isStillHeld,
  refreshOnBalance,
  useBalance,
} from './balance.ts'
import { createQueryClient } from './query-client.ts'

afterEach(() => {
  vi.useRealTimers()
})

function Display({ server }: { readonly server: number }) {
  return <output>{useBalance(server)}</output>
}

function shown(): string | null {
  return screen.getByRole('status').textContent
}

describe('the balance on screen', () => {
  it('follows announced balances at once [P-346]', () => {
    render(<Display server={1000} />)
    act(() => announceBalance(940))
    expect(shown()).toBe('940')
    act(() => announceBalance(950))
    expect(shown()).toBe('950')
  })

  it('keeps the announced balance at a difference of 100 and falls back at 101 [P-347]', () => {
    const view = render(<Display server={1000} />)
    act(() => announceBalance(1100))
    expect(shown()).toBe('1100')
    view.rerender(<Display server={999} />)
    expect(shown()).toBe('999')
    view.rerender(<Display server={1050} />)
    expect(shown()).toBe('1050')
  })

  it('ignores an announcement that is no number', () => {
    render(<Display server={10} />)
    act(() => {
      window.dispatchEvent(new CustomEvent(balanceEvent))
      announceBalance(Number.NaN)
    })
    expect(shown()).toBe('10')
  })

  it('takes the word of the server once a change has had time to settle', () => {
    const held = { balance: 950, heldAtMs: 0, serverThen: 1000 }
    expect(isStillHeld(held, 1000, 60_000)).toBe(true)
    expect(isStillHeld(held, 960, 900)).toBe(true)
    expect(isStillHeld(held, 960, 1100)).toBe(false)
  })
})

describe('after an announced balance', () => {
  function watched() {
    vi.useFakeTimers()
    const queryClient = createQueryClient()
    const refetched: { path: unknown; at: number }[] = []
    const start = Date.now()
    vi.spyOn(queryClient, 'invalidateQueries').mockImplementation(async (filters) => {
      refetched.push({ path: filters?.queryKey?.[0], at: Date.now() - start })
    })
    const stop = refreshOnBalance(queryClient)
    return { refetched, stop }
  }

  it('refetches the session at 100, 300, 600 and 1000 ms [P-348]', () => {
    const { refetched, stop } = watched()
    announceBalance(1)
    vi.advanceTimersByTime(5000)
    const session = refetched.filter(({ path }) => path === authContract.me.path)
    expect(session.map(({ at }) => at)).toEqual([100, 300, 600, 1000])
    expect(forcedRefreshMs).toEqual([100, 300, 600, 1000])
    stop()
  })

  it('syncs profile and statistics at 200 ms [P-349]', () => {
    const { refetched, stop } = watched()
    announceBalance(1)
    vi.advanceTimersByTime(5000)
    const secondary = refetched.filter(({ path }) => path !== authContract.me.path)
    expect(secondary).toEqual([
      { path: usersContract.profile.path, at: 200 },
      { path: packsContract.stats.path, at: 200 },
    ])
    stop()
  })

  it('stops when it is told to', () => {
    const { refetched, stop } = watched()
    announceBalance(1)
    stop()
    announceBalance(2)
    vi.advanceTimersByTime(5000)
    expect(refetched).toEqual([])
  })
})

describe('cacheBalance', () => {
  it('writes the balance into the cached session, and invents no session', () => {
    const queryClient = createQueryClient()
    cacheBalance(queryClient, 5)
    expect(queryClient.getQueryData([authContract.me.path])).toBeUndefined()
    queryClient.setQueryData([authContract.me.path], sampleUser({ redCoinBalance: 1 }))
    cacheBalance(queryClient, 5)
    expect(queryClient.getQueryData([authContract.me.path])).toMatchObject({ redCoinBalance: 5 })
  })
})
