// What a page asks for again when the server says that something has changed.

import { authContract, type RealtimeTopic } from '@redpack/contract'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FakeSocket } from '../../test/fake-socket.ts'
import { sampleUser } from '../../test/samples.ts'
import { loggingOut } from '../features/session/logging-out.ts'
import { createQueryClient } from '../lib/query-client.ts'
import { realtime } from '../lib/realtime.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { createRefetcher, revealGraceMs, useRealtimeUpdates } from './realtime-updates.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0)
  FakeSocket.install()
})

afterEach(() => {
  loggingOut.set(false)
  vi.useRealTimers()
})

function watched(queryClient: QueryClient) {
  const paths: unknown[] = []
  vi.spyOn(queryClient, 'invalidateQueries').mockImplementation(async (filters) => {
    paths.push(filters?.queryKey?.[0])
  })
  return paths
}

function Page() {
  useRealtimeUpdates()
  return null
}

function Question() {
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={() => undefined}
      title="Sure?"
      description="Think about it"
      confirmLabel="Yes"
      onConfirm={() => undefined}
    />
  )
}

describe('a change', () => {
  it.each<[RealtimeTopic, string[]]>([
    [
      'user',
      [
        '/api/auth/me',
        '/api/user/notices',
        '/api/user/prize-claims/paginated',
        '/api/redcoin/history',
        '/api/user/wallet',
      ],
    ],
    [
      'holdings',
      ['/api/user/packs', '/api/user/stats', '/api/user/openings', '/api/fairness/openings'],
    ],
    ['leaderboard', ['/api/redcoin/leaderboard']],
    ['listings', ['/api/store/listings']],
    ['pack_types', ['/api/packs/types', '/api/packs/types/{id}/odds']],
    ['streams', ['/api/twitch/active-streams']],
    ['watch', ['/api/twitch/watch-sessions', '/api/twitch/watch-completions']],
  ])('of %s asks for exactly that', (topic, expected) => {
    const queryClient = createQueryClient()
    const paths = watched(queryClient)
    const refetcher = createRefetcher(queryClient)
    refetcher.take([topic])
    vi.advanceTimersByTime(revealGraceMs)
    expect(paths).toEqual(expected)
    refetcher.stop()
  })

  it('of the theme loads it', () => {
    const asked = vi.fn((_url: string) => new Promise(() => {}))
    vi.stubGlobal('fetch', asked)
    const refetcher = createRefetcher(createQueryClient())
    refetcher.take(['theme'])
    expect(asked.mock.calls.map(([url]) => url)).toEqual(['/api/settings/theme'])
    refetcher.stop()
  })

  it('that would give a prize away waits until the dialog is closed, others do not', () => {
    const queryClient = createQueryClient()
    const paths = watched(queryClient)
    const refetcher = createRefetcher(queryClient)
    const dialog = render(<Question />)
    refetcher.take(['user', 'listings'])
    vi.advanceTimersByTime(60_000)
    expect(paths).toEqual(['/api/store/listings'])
    dialog.unmount()
    vi.advanceTimersByTime(revealGraceMs)
    expect(paths.slice(0, 2)).toEqual(['/api/store/listings', '/api/auth/me'])
    refetcher.stop()
  })

  it('heard before the answer of the opening waits for it too', async () => {
    const queryClient = createQueryClient()
    const paths = watched(queryClient)
    const refetcher = createRefetcher(queryClient)
    let answer = () => {}
    const opening = queryClient
      .getMutationCache()
      .build(queryClient, { mutationFn: () => new Promise<void>((done) => (answer = done)) })
      .execute(undefined)
    await vi.advanceTimersByTimeAsync(0)
    refetcher.take(['holdings'])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(paths).toEqual([])
    answer()
    await opening
    const dialog = render(<Question />)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(paths).toEqual([])
    dialog.unmount()
    await vi.advanceTimersByTimeAsync(revealGraceMs)
    expect(paths).toContain('/api/user/packs')
    refetcher.stop()
  })
})

describe('the socket of a page', () => {
  /** A page whose session calls are answered by these users in turn, the last one for ever. */
  async function openPage(...users: (ReturnType<typeof sampleUser> | null | 'down')[]) {
    const asked = vi.fn(async (url: string) => {
      if (url !== authContract.me.path) return new Promise<Response>(() => {})
      const user = users.length > 1 ? users.shift() : users[0]
      if (user === 'down') return new Response('down', { status: 503 })
      return user ? Response.json(user) : Response.json({ message: 'no' }, { status: 401 })
    })
    vi.stubGlobal('fetch', asked)
    const queryClient = createQueryClient()
    const view = render(
      <QueryClientProvider client={queryClient}>
        <Page />
      </QueryClientProvider>,
    )
    await pass(0)
    const sessionCalls = () => asked.mock.calls.filter(([url]) => url === authContract.me.path)
    return { ...view, queryClient, sessionCalls }
  }

  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

  it('is opened once for someone who is signed in, and by no visitor', async () => {
    const visit = await openPage(null)
    await pass(90_000)
    expect(FakeSocket.all).toHaveLength(0)
    visit.unmount()
    await openPage(sampleUser())
    await pass(90_000)
    expect(FakeSocket.all).toHaveLength(1)
  })

  it('is closed by whoever ends the session, by a logout that begins, and with the page', async () => {
    await openPage(sampleUser())
    realtime.disconnect()
    expect(FakeSocket.latest().isClosed).toBe(true)

    const page = await openPage(sampleUser())
    act(() => loggingOut.set(true))
    expect(FakeSocket.latest().isClosed).toBe(true)
    act(() => loggingOut.set(false))
    page.unmount()
    expect(FakeSocket.latest().isClosed).toBe(true)
  })

  it('asks for the session once after code 1008 and comes back when it stands', async () => {
    const { sessionCalls } = await openPage(sampleUser(), sampleUser({ role: 'admin' }))
    FakeSocket.latest().accept()
    FakeSocket.latest().end(1008)
    await pass(100)
    expect(sessionCalls()).toHaveLength(2)
    expect(FakeSocket.all).toHaveLength(1)
    await pass(1000)
    expect(FakeSocket.all).toHaveLength(2)
    expect(sessionCalls()).toHaveLength(2)
  })

  it('stays away after code 1008 when the session is over', async () => {
    await openPage(sampleUser(), null)
    FakeSocket.latest().end(1008)
    await pass(120_000)
    expect(FakeSocket.all).toHaveLength(1)
  })

  it('stays away after code 1008 until a server that was down confirms the session', async () => {
    await openPage(sampleUser(), 'down', sampleUser())
    FakeSocket.latest().end(1008)
    await pass(20_000)
    expect(FakeSocket.all).toHaveLength(1)
    await pass(15_000)
    expect(FakeSocket.all).toHaveLength(2)
  })

  it('asks for everything that is on screen after a gap', async () => {
    const { sessionCalls } = await openPage(sampleUser())
    FakeSocket.latest().accept()
    FakeSocket.latest().end(1006)
    await pass(1000)
    const before = sessionCalls().length
    FakeSocket.latest().accept()
    await pass(revealGraceMs)
    expect(sessionCalls()).toHaveLength(before + 1)
  })
})
