// Waiting of the page that ends when the test says so, however long it would have taken.

import { act } from '@testing-library/react'
import { vi } from 'vitest'

type Run = (...values: unknown[]) => void

/**
 * Holds what the page puts off, or repeats, after exactly `millis`. The answer lets that time pass
 * once, and fails where nothing waits that long; the spies go with the test.
 */
export function holdWaits(kind: 'Timeout' | 'Interval', millis: number): () => Promise<void> {
  const held = new Map<unknown, () => void>()
  const set = window[`set${kind}`] as (run: Run, delay?: number, ...values: unknown[]) => number
  const clear = window[`clear${kind}`] as (id?: number) => void
  vi.spyOn(window, `set${kind}`).mockImplementation(((run: Run, delay, ...values) => {
    if (delay !== millis) return set(run, delay, ...values)
    const id = set(() => undefined, delay)
    held.set(id, () => run(...values))
    return id
  }) as typeof set as never)
  vi.spyOn(window, `clear${kind}`).mockImplementation(((id) => {
    held.delete(id)
    clear(id)
  }) as typeof clear as never)
  return () =>
    act(async () => {
      const runs = [...held.values()]
      if (runs.length === 0) throw new Error(`Nothing waits ${millis} ms`)
      if (kind === 'Timeout') held.clear()
      for (const run of runs) run()
    })
}

/** Failed questions are asked again at once instead of after these pauses, in milliseconds. */
export function retryAtOnce(pauses: readonly number[] = [1000, 2000]): void {
  const set = window.setTimeout as (run: Run, delay?: number, ...values: unknown[]) => number
  const isPause = (delay = 0) => pauses.includes(delay)
  vi.spyOn(window, 'setTimeout').mockImplementation(((run, delay, ...values) =>
    set(run, isPause(delay) ? 0 : delay, ...values)) as typeof set as never)
}
