// The rules of the balance on screen.

import { authContract, packsContract, storeContract, usersContract } from '@redpack/contract'
import { QueryObserver } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { testNow } from '../../../../tools/test-clock.ts'
import { sampleUser } from '../../../test/samples.ts'
import { createQueryClient, refreshOnChange } from '../../app/refresher.ts'
import { call } from '../../lib/api.ts'
import { changedTopics } from '../../lib/changed-topics.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'
import {
  announceBalance,
  balanceEvent,
  cacheBalance,
  refreshOnBalance,
  useBalance,
} from './balance-queries.ts'

interface DisplayProps {
  readonly server: number
  readonly answeredAtMs?: number
}

function Display({ server, answeredAtMs = 0 }: DisplayProps) {
  return <output>{useBalance(server, answeredAtMs)}</output>
}

function shown(): string | null {
  return screen.getByRole('status').textContent
}

describe('the balance on screen', () => {
  it.each([
    [1100, '1100'],
    [900, '900'],
    [1101, '1000'],
    [899, '1000'],
  ])('of %i beside 1000 of the server reads %s', (announced, text) => {
    render(<Display server={1000} />)
    act(() => announceBalance(announced))
    expect(shown()).toBe(text)
  })

  it('follows announced balances at once until the server moves away by more than 100', () => {
    const view = render(<Display server={1000} />)
    act(() => announceBalance(940))
    expect(shown()).toBe('940')
    act(() => announceBalance(1050))
    expect(shown()).toBe('1050')
    view.rerender(<Display server={1150} />)
    expect(shown()).toBe('1050')
    view.rerender(<Display server={1151} />)
    expect(shown()).toBe('1151')
    view.rerender(<Display server={1060} />)
    expect(shown()).toBe('1060')
  })

  it('stands until the server has answered anew, also with the same number', () => {
    const view = render(<Display server={1000} />)
    act(() => announceBalance(1050))
    // What comes before the first refresh was asked for before the change.
    view.rerender(<Display server={1000} answeredAtMs={testNow() + 50} />)
    expect(shown()).toBe('1050')
    view.rerender(<Display server={1000} answeredAtMs={testNow() + 200} />)
    expect(shown()).toBe('1000')
  })

  it('ignores an announcement that is no number', () => {
    render(<Display server={10} />)
    act(() => {
      window.dispatchEvent(new CustomEvent(balanceEvent))
      announceBalance(Number.NaN)
    })
    expect(shown()).toBe('10')
  })
})

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms))

describe('after an announced balance', () => {
  const { path: me } = authContract.me
  const secondary = [usersContract.profile.path, packsContract.stats.path]

  /** Screens that show session, profile and statistics, and when each was asked for again. */
  async function watched(serverBalance = 0, answersAfterMs = 0) {
    vi.useFakeTimers()
    const asked: { path: string; at: number }[] = []
    let start = testNow()
    vi.stubGlobal('fetch', async (path: string) => {
      asked.push({ path, at: testNow() - start })
      if (answersAfterMs > 0) await wait(answersAfterMs)
      return Response.json(path === me ? { redCoinBalance: serverBalance } : {})
    })
    const queryClient = createQueryClient()
    const shown = [
      endpointQuery(authContract.me, { shows: ['user', 'session'] }),
      endpointQuery(usersContract.profile, { shows: ['profile'] }),
      endpointQuery(packsContract.stats, { shows: ['holdings', 'statistics'] }),
    ]
    const observers = shown.map((options) =>
      new QueryObserver<unknown>(queryClient, options).subscribe(() => undefined),
    )
    const stops = [refreshOnBalance(queryClient), refreshOnChange(queryClient)]
    await vi.advanceTimersByTimeAsync(10_000)
    asked.length = 0
    start = testNow()
    const end = () => {
      for (const stop of [...stops, ...observers]) stop()
    }
    onTestFinished(end)
    const times = (path: string) => asked.filter((one) => one.path === path).map(({ at }) => at)
    return { times, end }
  }

  it('asks for profile and statistics at 200 ms', async () => {
    const { times } = await watched()
    announceBalance(1)
    await vi.advanceTimersByTimeAsync(5000)
    expect(secondary.map(times)).toEqual([[200], [200]])
  })

  it('asks for all that a purchase changes, told thrice, once beside the forced refresh', async () => {
    const { times } = await watched(840)
    await call(storeContract.purchase, {
      body: { storePackListingId: 1, quantity: 1, expectedPrice: 160 },
    })
    announceBalance(840)
    changedTopics.announce(['user', 'holdings', 'listings'], 'news')
    await vi.advanceTimersByTimeAsync(20_000)
    expect(times(me)).toEqual([50, 100, 300, 600, 1000])
    expect(times(packsContract.stats.path)).toEqual([50])
  })

  it.each([
    { server: 'says another balance', says: 0, answersAfterMs: 0 },
    { server: 'says the same at once', says: 7, answersAfterMs: 0 },
    { server: 'takes longer than the time between two questions', says: 7, answersAfterMs: 450 },
  ])('asks for the session at 100, 300, 600 and 1000 ms when the server $server', async (given) => {
    const { times } = await watched(given.says, given.answersAfterMs)
    announceBalance(7)
    await vi.advanceTimersByTimeAsync(5000)
    expect(times(me)).toEqual([100, 300, 600, 1000])
  })

  it('counts anew from a second change', async () => {
    const { times } = await watched()
    announceBalance(1)
    await vi.advanceTimersByTimeAsync(150)
    announceBalance(2)
    await vi.advanceTimersByTimeAsync(5000)
    expect(times(me)).toEqual([100, 250, 450, 750, 1150])
    expect(secondary.map(times)).toEqual([[350], [350]])
  })

  it('stops when it is told to', async () => {
    const { times, end } = await watched()
    announceBalance(1)
    end()
    announceBalance(2)
    await vi.advanceTimersByTimeAsync(5000)
    expect(times(me)).toEqual([])
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
