// Sockets are pinged every half minute, and those that do not answer are ended.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Heartbeats } from './connection-hub.ts'

let heartbeats: Heartbeats
beforeEach(() => {
  vi.useFakeTimers()
  heartbeats = new Heartbeats()
})
afterEach(() => {
  heartbeats.stop()
})

function socket({ answers }: { answers: boolean }) {
  let pong: () => void = () => undefined
  const one = {
    pings: 0,
    isEnded: false,
    ping() {
      one.pings += 1
      if (answers) pong()
    },
    terminate() {
      one.isEnded = true
    },
    on(_event: 'pong', listener: () => void) {
      pong = listener
    },
  }
  return one
}

describe('heartbeats', () => {
  it('ping every socket once in 30 seconds, a thirtieth of them at a time', async () => {
    const sockets = Array.from({ length: 300 }, () => socket({ answers: true }))
    for (const one of sockets) heartbeats.add(one)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(sockets.filter(({ pings }) => pings > 0)).toHaveLength(10)
    await vi.advanceTimersByTimeAsync(29_000)
    expect(sockets.every(({ pings }) => pings === 1)).toBe(true)
  })

  it('end a socket that has not answered the ping before, and no other', async () => {
    const [silent, awake] = [socket({ answers: false }), socket({ answers: true })]
    heartbeats.add(silent)
    heartbeats.add(awake)
    await vi.advanceTimersByTimeAsync(61_000)
    expect([silent.isEnded, awake.isEnded]).toEqual([true, false])
  })

  it('forget the messages of a socket every minute', async () => {
    const heartbeat = heartbeats.add(socket({ answers: true }))
    heartbeat.messages = 50
    await vi.advanceTimersByTimeAsync(61_000)
    expect(heartbeat.messages).toBe(0)
  })

  it('leave a removed socket alone', async () => {
    const one = socket({ answers: true })
    heartbeats.remove(heartbeats.add(one))
    await vi.advanceTimersByTimeAsync(31_000)
    expect(one.pings).toBe(0)
  })
})
