// Calls that go out are given up on sooner, so that a test need not wait for an answer that never
// comes as long as the product does.

import { type MockInstance, onTestFinished, vi } from 'vitest'

const times = 10

/** Until the test ends; what it answers has seen how long the product itself would have waited. */
export function shortenPatience(): MockInstance<typeof AbortSignal.timeout> {
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  const spy = vi.spyOn(AbortSignal, 'timeout')
  onTestFinished(() => spy.mockRestore())
  return spy.mockImplementation((millis) => timeout(millis / times))
}
