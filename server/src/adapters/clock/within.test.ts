// A time limit means the time of the work, not that of a process which was held up.

import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { listenLocally } from '../../../test/local-server.ts'
import { withinMillis } from './clock.ts'

/** Nothing of this process runs meanwhile: neither timers nor what arrives. */
function holdUp(millis: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, millis)
}

it('gives the outcome of work that ends in time, and an error for what does not', async () => {
  expect(await withinMillis(Promise.resolve('done'), 20)).toBe('done')
  await expect(withinMillis(Promise.reject(new Error('no')), 20)).rejects.toThrow('no')
  await expect(withinMillis(new Promise(() => undefined), 20)).rejects.toThrow('longer than 20 ms')
})

it('takes an answer that had arrived while the process was held up', async () => {
  const local = await listenLocally(createServer((socket) => socket.end('answer')))
  const socket = connect(local.port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    const answer = withinMillis(once(socket, 'data'), 30)
    // Accepting and sending take this process a turn each.
    await new Promise((resolve) => setImmediate(resolve))
    holdUp(60)
    expect(String((await answer)[0])).toBe('answer')
  } finally {
    socket.destroy()
    await local.close()
  }
})
