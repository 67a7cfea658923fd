// The socket of a page: opened, closed and answered for whoever is signed in.

import { authContract } from '@redpack/contract'
import { act, render } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FakeSocket } from '../../test/fake-socket.ts'
import { sampleUser } from '../../test/samples.ts'
import { loggingOut } from '../features/session/logging-out.ts'
import { realtime } from '../lib/realtime.ts'
import { useRealtimeUpdates } from './realtime-updates.ts'
import { createQueryClient, revealGraceMs, ServerState } from './refresher.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0)
  FakeSocket.install()
})

afterEach(() => {
  loggingOut.set(false)
})

function Page() {
  useRealtimeUpdates()
  return null
}

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
      <ServerState queryClient={queryClient}>
        <Page />
      </ServerState>,
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
