// Deadlocks and serialization failures are tried again, a bounded number of times; nothing else is.

import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { retryCount, retryDeadlocks, sqlState } from './retry.ts'

const failure = (code: string, cause?: unknown) =>
  Object.assign(new Error(code, { cause }), { code })

/** Work that fails with these codes in turn and then answers how often it ran. */
function failing(codes: readonly string[]) {
  let runs = 0
  return async () => {
    runs += 1
    const code = codes[runs - 1]
    if (code !== undefined) throw failure(code)
    return runs
  }
}

describe('retryDeadlocks', () => {
  it('runs work again after a deadlock or a serialization failure', async () => {
    const before = retryCount()
    expect(await retryDeadlocks(failing(['40P01', '40001', '40P01', '40001']))).toBe(5)
    expect(retryCount() - before).toBe(4)
  })

  it('gives up after five attempts with the last error', async () => {
    const codes = ['40P01', '40P01', '40P01', '40P01', '40001', '40P01']
    await expect(retryDeadlocks(failing(codes))).rejects.toMatchObject({ code: '40001' })
  })

  it.each(['23505', '55P03', '57014', '08006', 'ECONNRESET'])(
    'does not repeat %s',
    async (code) => {
      const before = retryCount()
      await expect(retryDeadlocks(failing([code]))).rejects.toMatchObject({ code })
      expect(retryCount()).toBe(before)
    },
  )

  it('waits longer with every attempt, and at most a quarter of a second in all', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout'] })
    // Near the longest wait there is: 24 ms of 25.
    const hrtime = vi.spyOn(process.hrtime, 'bigint').mockReturnValue(960n)
    onTestFinished(() => hrtime.mockRestore())
    let millis = 0
    const ranAt: number[] = []
    const work = failing(['40P01', '40P01', '40P01', '40P01'])
    const done = retryDeadlocks(() => {
      ranAt.push(millis)
      return work()
    })
    for (millis = 1; millis <= 250; millis += 1) await vi.advanceTimersByTimeAsync(1)
    expect(await done).toBe(5)
    expect(ranAt.map((at, run) => at - (ranAt[run - 1] ?? 0))).toEqual([0, 24, 48, 72, 96])
  })
})

describe('sqlState', () => {
  it('looks through wrapped causes and ignores codes that are none', () => {
    expect(sqlState(failure('40P01'))).toBe('40P01')
    expect(sqlState(new Error('query failed', { cause: failure('23505') }))).toBe('23505')
    expect(sqlState(failure('ECONNREFUSED'))).toBeUndefined()
    expect(sqlState(failure('FST_ERR_BAD_URL', failure('22003')))).toBe('22003')
    expect(sqlState('40P01')).toBeUndefined()
    const circle = new Error('circle')
    circle.cause = circle
    expect(sqlState(circle)).toBeUndefined()
  })
})
