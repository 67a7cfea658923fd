// Sockets are pinged every half minute, and those that do not answer are ended.

import { EventEmitter } from 'node:events'
import { realtimeMessagesPerMinuteMax } from '@redpack/contract/limits'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type WatchedSocket, watchSocket } from './connection-hub.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

class FakeSocket extends EventEmitter {
  pings = 0
  closedWith: string | undefined
  readonly #answers: boolean

  constructor({ answers }: { answers: boolean }) {
    super()
    this.#answers = answers
  }
  ping(): void {
    this.pings += 1
    if (this.#answers) this.emit('pong')
  }
  terminate(): void {
    this.closedWith = 'nothing'
  }
  close(_code: number, reason: string): void {
    this.closedWith = reason
  }
}

function watched(options: { answers: boolean }, opened = 0): FakeSocket {
  const socket = new FakeSocket(options)
  watchSocket(socket as unknown as WatchedSocket, opened)
  return socket
}

describe('sockets', () => {
  it('are pinged once in 30 seconds, a thirtieth of them at a time', async () => {
    const sockets = Array.from({ length: 300 }, (_, index) => watched({ answers: true }, index))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(sockets.filter(({ pings }) => pings > 0)).toHaveLength(10)
    await vi.advanceTimersByTimeAsync(29_000)
    expect(sockets.every(({ pings }) => pings === 1)).toBe(true)
    await vi.advanceTimersByTimeAsync(30_000)
    expect(sockets.every(({ pings }) => pings === 2)).toBe(true)
  })

  it('that have not answered the ping before are ended, and no others', async () => {
    const [silent, awake] = [watched({ answers: false }), watched({ answers: true })]
    await vi.advanceTimersByTimeAsync(61_000)
    expect([silent.closedWith, awake.closedWith]).toEqual(['nothing', undefined])
  })

  it('may say so much a minute, and no more', async () => {
    const socket = watched({ answers: true })
    const say = (count: number) => {
      for (let said = 0; said < count; said += 1) socket.emit('message')
    }
    say(realtimeMessagesPerMinuteMax)
    await vi.advanceTimersByTimeAsync(61_000)
    say(realtimeMessagesPerMinuteMax)
    expect(socket.closedWith).toBeUndefined()
    say(1)
    expect(socket.closedWith).toBe('Too many messages')
  })

  it('that are closed are left alone', async () => {
    const socket = watched({ answers: true })
    await vi.advanceTimersByTimeAsync(1_000)
    socket.emit('close')
    await vi.advanceTimersByTimeAsync(61_000)
    expect(socket.pings).toBe(1)
  })
})
