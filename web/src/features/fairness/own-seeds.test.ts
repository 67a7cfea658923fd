// Questions about seeds take turns; none may keep the others waiting for good.

import { fairnessContract } from '@redpack/contract'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { mockServer, replies } from '../../../test/mock-server.ts'
import { loadSeeds, readMsMax } from './own-seeds.ts'

const server = mockServer()
const isAsked = vi.fn()

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] })
  isAsked.mockReset()
  server.use(
    replies(
      fairnessContract.seeds,
      () => {
        isAsked()
        return new Promise<Response>(() => {})
      },
      { once: true },
    ),
  )
})

afterEach(() => {
  vi.useRealTimers()
})

describe('seeds', () => {
  it('are read by the next one when an answer does not come', async () => {
    const silent = loadSeeds(7)
    const next = loadSeeds(7)
    const refused = expect(silent).rejects.toThrow('No answer came in time')
    await vi.waitFor(() => expect(isAsked).toHaveBeenCalledOnce())
    await vi.advanceTimersByTimeAsync(readMsMax)
    await refused
    expect((await next).active.id).toBe(1)
  })

  it('are read by the next one as soon as the one before has left', async () => {
    const leaving = new AbortController()
    const silent = loadSeeds(7, leaving.signal)
    const next = loadSeeds(7)
    const refused = expect(silent).rejects.toThrow('Left')
    await vi.waitFor(() => expect(isAsked).toHaveBeenCalledOnce())
    leaving.abort(new Error('Left'))
    await refused
    expect((await next).active.id).toBe(1)
  })
})
