// Who is signed in, as screens see it.

import { authContract } from '@redpack/contract'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, waitFor } from '@testing-library/react'
import { HttpResponse } from 'msw'
import type { ReactNode } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { answers, hangs, mockServer, refuses, replies } from '../../../test/mock-server.ts'
import { sampleUser } from '../../../test/samples.ts'
import { createQueryClient } from '../../app/refresher.ts'
import { toastStore } from '../../ui/feedback/toast.ts'
import { announceBalance } from './balance-queries.ts'
import { askWhoIsSignedIn, sessionQuery, useSession, useShownBalance } from './queries.ts'

const server = mockServer()

function Who() {
  const { status, user, error } = useSession()
  return <output>{[status, user?.displayName ?? 'nobody', error?.message].join(' ')}</output>
}

function renderWith(part: ReactNode) {
  const queryClient = createQueryClient()
  render(<QueryClientProvider client={queryClient}>{part}</QueryClientProvider>)
  return queryClient
}

function shown(): string | null {
  return screen.getByRole('status').textContent
}

/** A server that says who is signed in, on a clock that `pass` moves on. */
function answersOnFakeTimers(change: Partial<ReturnType<typeof sampleUser>> = {}) {
  vi.useFakeTimers()
  const asked = vi.fn(() => Promise.resolve(Response.json(sampleUser(change))))
  vi.stubGlobal('fetch', asked)
  return asked
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

describe('the session', () => {
  it('is unauthenticated after a 401, which is no error', async () => {
    server.use(refuses(authContract.me, 401, 'Unauthorized'))
    const queryClient = renderWith(<Who />)
    await waitFor(() => expect(shown()).toBe('unauthenticated nobody '))
    expect(queryClient.getQueryState(sessionQuery.queryKey)).toMatchObject({
      status: 'success',
      data: null,
      error: null,
    })
    expect(toastStore.get().toasts).toEqual([])
  })

  it('says why when the server could not be asked, and asks once', async () => {
    let asked = 0
    server.use(
      replies(authContract.me, () => {
        asked += 1
        return new HttpResponse('down', { status: 503 })
      }),
    )
    renderWith(<Who />)
    await waitFor(() => expect(shown()).toBe('unauthenticated nobody 503: down'))
    expect(asked).toBe(1)
  })

  it('is loading until the server answers with a user, kept when a later poll fails', async () => {
    server.use(answers(authContract.me, sampleUser()))
    const queryClient = renderWith(<Who />)
    expect(shown()).toBe('loading nobody ')
    await waitFor(() => expect(shown()).toBe('authenticated Luna Fox '))
    server.use(refuses(authContract.me, 500, 'Internal server error'))
    await act(() => queryClient.refetchQueries({ queryKey: sessionQuery.queryKey }))
    expect(shown()).toBe('authenticated Luna Fox ')
  })

  it('is asked for anew after a sign-in, also while an older question is on its way', async () => {
    server.use(hangs(authContract.me))
    const queryClient = renderWith(<Who />)
    server.use(answers(authContract.me, sampleUser()))
    await askWhoIsSignedIn(queryClient)
    await waitFor(() => expect(shown()).toBe('authenticated Luna Fox '))
    server.use(hangs(authContract.me))
    void queryClient.refetchQueries({ queryKey: sessionQuery.queryKey })
    server.use(answers(authContract.me, sampleUser({ displayName: 'Max Bear' })))
    await askWhoIsSignedIn(queryClient)
    await waitFor(() => expect(shown()).toBe('authenticated Max Bear '))
  })

  it('is polled every 30000 ms', async () => {
    const asked = answersOnFakeTimers()
    renderWith(<Who />)
    await pass(29_999)
    expect(asked).toHaveBeenCalledTimes(1)
    await pass(1)
    expect(asked).toHaveBeenCalledTimes(2)
    await pass(30_000)
    expect(asked).toHaveBeenCalledTimes(3)
  })

  it.each(['focus', 'visibilitychange'])(
    'is asked for on %s once its answer is older than 10000 ms',
    async (event) => {
      const asked = answersOnFakeTimers()
      renderWith(<Who />)
      for (const [ms, times] of [
        [9_900, 1],
        [200, 2],
      ] as const) {
        await pass(ms)
        window.dispatchEvent(new Event(event))
        await pass(0)
        expect(asked).toHaveBeenCalledTimes(times)
      }
    },
  )

  it('is kept for 60000 ms after the last screen that shows it is gone', async () => {
    answersOnFakeTimers()
    const queryClient = createQueryClient()
    const part = (
      <QueryClientProvider client={queryClient}>
        <Who />
      </QueryClientProvider>
    )
    const first = render(part)
    await pass(0)
    first.unmount()
    await pass(59_999)
    // Whoever comes back in time knows at once who is there.
    vi.stubGlobal('fetch', () => new Promise(() => {}))
    const second = render(part)
    expect(shown()).toBe('authenticated Luna Fox ')
    second.unmount()
    await pass(60_000)
    render(part)
    expect(shown()).toBe('loading nobody ')
  })
})

function Balance() {
  return <output>{useShownBalance()}</output>
}

describe('the shown balance', () => {
  it('is 0 when the answer has none', async () => {
    const { redCoinBalance: _, ...without } = sampleUser()
    server.use(replies(authContract.me, () => HttpResponse.json(without)))
    renderWith(
      <>
        <Who />
        <Balance />
      </>,
    )
    await screen.findByText(/authenticated/)
    expect(screen.getAllByRole('status').map((part) => part.textContent)).toEqual([
      'authenticated Luna Fox ',
      '0',
    ])
  })

  it('is the announced one until the next answer, also when that says nothing new', async () => {
    answersOnFakeTimers({ redCoinBalance: 1000 })
    renderWith(<Balance />)
    await pass(5000)
    act(() => announceBalance(950))
    expect(shown()).toBe('950')
    await pass(24_000)
    expect(shown()).toBe('950')
    await pass(2000)
    expect(shown()).toBe('1000')
  })
})
