// What the product waits for by itself ends sooner, so that a test need not wait as long.

import { type MockInstance, onTestFinished, vi } from 'vitest'

const times = 10

/**
 * Calls that go out are given up on sooner until the test ends; what it answers has seen how long
 * the product itself would have waited.
 */
export function shortenPatience(): MockInstance<typeof AbortSignal.timeout> {
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  const spy = vi.spyOn(AbortSignal, 'timeout')
  onTestFinished(() => spy.mockRestore())
  return spy.mockImplementation((millis) => timeout(millis / times))
}

/** Waits of exactly `millis` end at once until the test ends; `onWait` hears of each. */
export function endWaits(millis: number, onWait: () => void): void {
  const wait = globalThis.setTimeout
  const spy = vi.spyOn(globalThis, 'setTimeout')
  onTestFinished(() => spy.mockRestore())
  spy.mockImplementation((run, delay, ...values) => {
    if (delay === millis) onWait()
    return wait(run, delay === millis ? 0 : delay, ...values)
  })
}
