// The page's socket: what it says, when it comes back, and when it stays away.

import { realtimePath } from '@redpack/contract'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { testNow } from '../../../tools/test-clock.ts'
import { FakeSocket } from '../../test/fake-socket.ts'
import { connectRealtime, retryDelayMs, steadyMs } from './realtime-updates.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(1)
  FakeSocket.install()
})

function connect() {
  const listeners = { onChanged: vi.fn(), onReconnected: vi.fn(), onRefused: vi.fn() }
  return { ...listeners, connection: connectRealtime(listeners) }
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
