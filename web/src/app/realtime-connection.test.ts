// The page's socket: what it says, when it comes back, and when it stays away.

import { realtimePath } from '@redpack/contract'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { testNow } from '../../../tools/test-clock.ts'
import { FakeSocket } from '../../test/fake-socket.ts'
import { connectRealtime, hiddenMaxMs, retryDelayMs, steadyMs } from './realtime-updates.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(1)
  FakeSocket.install()
})

function connect() {
  const listeners = { onChanged: vi.fn(), onReconnected: vi.fn(), onRefused: vi.fn() }
  const connection = connectRealtime(listeners)
  onTestFinished(connection.close)
  return { ...listeners, connection }
}

describe('the connection', () => {
  it('goes to the realtime path of the same host', () => {
    connect()
    expect(FakeSocket.all.map(({ url }) => url)).toEqual([`ws://redpack.test${realtimePath}`])
  })

  it('passes on what has changed', () => {
    const { onChanged } = connect()
    FakeSocket.latest().say({ changed: ['user', 'theme'] })
    expect(onChanged).toHaveBeenCalledExactlyOnceWith(['user', 'theme'])
  })

  it.each(['no json', '{"changed":["everything"]}', '[]'])('changes nothing for %s', (text) => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { onChanged } = connect()
    FakeSocket.latest().onmessage?.({ data: text })
    expect(onChanged.mock.calls.flat(2)).toEqual([])
    expect(warned).toHaveBeenCalledTimes(1)
  })
})

describe('a lost connection', () => {
  it('is tried again after 2, 4, 8 … 60 seconds at the longest', () => {
    connect()
    for (const seconds of [2, 4, 8, 16, 32, 60, 60]) {
      const known = FakeSocket.all.length
      FakeSocket.latest().end(1006)
      vi.advanceTimersByTime(seconds * 1000 - 1)
      expect(FakeSocket.all).toHaveLength(known)
      vi.advanceTimersByTime(1)
      expect(FakeSocket.all).toHaveLength(known + 1)
    }
  })

  it('spreads the tries from a second up', () => {
    expect(retryDelayMs(1, 0)).toBe(1000)
    expect(retryDelayMs(50, 0)).toBe(1000)
    expect(retryDelayMs(3, 0.5)).toBe(4500)
    expect(retryDelayMs(50, 1)).toBe(60_000)
  })

  it('says that it is back, but not the first time', () => {
    const { onReconnected } = connect()
    FakeSocket.latest().accept()
    expect(onReconnected).not.toHaveBeenCalled()
    FakeSocket.latest().end(1001)
    vi.advanceTimersByTime(2000)
    FakeSocket.latest().accept()
    expect(onReconnected).toHaveBeenCalledTimes(1)
  })

  it('says that it is back when the first tries have failed: the page has loaded before', () => {
    const { onReconnected } = connect()
    FakeSocket.latest().end(1006)
    vi.advanceTimersByTime(2000)
    FakeSocket.latest().accept()
    expect(onReconnected).toHaveBeenCalledTimes(1)
  })

  it('is forgotten once the next one has held for a while, not as soon as it opens', () => {
    connect()
    const loseAfter = (ms: number) => {
      FakeSocket.latest().accept()
      vi.advanceTimersByTime(ms)
      FakeSocket.latest().end(1006)
      const known = FakeSocket.all.length
      const lostAt = testNow()
      while (FakeSocket.all.length === known) vi.advanceTimersByTime(100)
      return testNow() - lostAt
    }
    expect(loseAfter(1)).toBe(2000)
    expect(loseAfter(1)).toBe(4000)
    expect(loseAfter(steadyMs)).toBe(2000)
  })
})

/** The page is hidden for so long, in milliseconds. */
function hideFor(ms: number): void {
  const isHidden = vi.spyOn(document, 'hidden', 'get')
  for (const [hidden, passed] of [
    [true, ms],
    [false, 0],
  ] as const) {
    isHidden.mockReturnValue(hidden)
    document.dispatchEvent(new Event('visibilitychange'))
    vi.advanceTimersByTime(passed)
  }
}

describe('a connection that may be dead', () => {
  const goOnline = () => window.dispatchEvent(new Event('online'))

  it.each([
    ['the network is back', goOnline],
    ['the page was hidden for long', () => hideFor(hiddenMaxMs + 1)],
  ])('is replaced when %s, and says that it is back', (_, happens) => {
    const { onChanged, onReconnected, onRefused } = connect()
    const first = FakeSocket.latest()
    first.accept()
    happens()
    expect(FakeSocket.all).toHaveLength(2)
    expect(first.isClosed).toBe(true)
    first.say({ changed: ['user'] })
    first.end(1008)
    FakeSocket.latest().accept()
    expect(onReconnected).toHaveBeenCalledTimes(1)
    expect(onChanged).not.toHaveBeenCalled()
    expect(onRefused).not.toHaveBeenCalled()
    vi.advanceTimersByTime(120_000)
    expect(FakeSocket.all).toHaveLength(2)
  })

  it('is tried at once when the network is back, and its losses are forgotten', () => {
    const { onReconnected } = connect()
    for (const seconds of [2, 4, 8]) {
      FakeSocket.latest().end(1006)
      vi.advanceTimersByTime(seconds * 1000)
    }
    FakeSocket.latest().end(1006)
    goOnline()
    expect(FakeSocket.all).toHaveLength(5)
    FakeSocket.latest().end(1006)
    vi.advanceTimersByTime(2000)
    FakeSocket.latest().accept()
    // No socket was open before, and yet something was missed.
    expect(onReconnected).toHaveBeenCalledTimes(1)
  })

  it('is kept after a short look elsewhere, and left alone once refused or closed', () => {
    const { connection } = connect()
    hideFor(hiddenMaxMs)
    expect(FakeSocket.all).toHaveLength(1)
    FakeSocket.latest().end(1008)
    goOnline()
    connection.close()
    goOnline()
    hideFor(hiddenMaxMs + 1)
    expect(FakeSocket.all).toHaveLength(1)
  })
})

describe('a refused connection', () => {
  it('waits for a confirmation, however long, and then for its turn', () => {
    const { onRefused, connection } = connect()
    FakeSocket.latest().accept()
    FakeSocket.latest().end(1008)
    vi.advanceTimersByTime(3_600_000)
    expect(FakeSocket.all).toHaveLength(1)
    expect(onRefused).toHaveBeenCalledTimes(1)
    connection.confirm()
    expect(FakeSocket.all).toHaveLength(1)
    vi.advanceTimersByTime(2000)
    expect(FakeSocket.all).toHaveLength(2)
  })

  it('is the only one that a confirmation wakes', () => {
    const { connection } = connect()
    FakeSocket.latest().accept()
    connection.confirm()
    vi.advanceTimersByTime(60_000)
    expect(FakeSocket.all).toHaveLength(1)
  })
})

describe('a closed connection', () => {
  it('closes its socket and is never tried again', () => {
    const { connection, onRefused } = connect()
    connection.close()
    expect(FakeSocket.latest().isClosed).toBe(true)
    FakeSocket.latest().end(1008)
    connection.confirm()
    vi.advanceTimersByTime(120_000)
    expect(FakeSocket.all).toHaveLength(1)
    expect(onRefused).not.toHaveBeenCalled()
  })

  it('cancels a try that was waiting', () => {
    const { connection } = connect()
    FakeSocket.latest().end(1006)
    connection.close()
    vi.advanceTimersByTime(120_000)
    expect(FakeSocket.all).toHaveLength(1)
  })
})
