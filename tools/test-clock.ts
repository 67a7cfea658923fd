// The time of the tests: it stands still until a test moves it, so that nothing depends on when a
// test runs or how busy the machine is. The product, its libraries and the embedded database use
// this time; PostgreSQL has its own.

import { vi } from 'vitest'

/** When every test begins. */
export const testBegin = new Date('2026-11-24T12:00:00Z')

let passes = false

/** Before the tests of a file: time stands still, whatever the file before did. */
export function stopTime(): void {
  passes = false
  beginTime()
}

/** After a test: puts an end to fake timers and goes back to the beginning. */
export function beginTime(): void {
  if (passes) return
  vi.useRealTimers()
  vi.setSystemTime(testBegin)
}

/** For the rest of a file time passes from the beginning on, since a library waits by it. */
export function letTimePass(): void {
  passes = true
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true })
}

/**
 * The time of the test in milliseconds.
 * @throws Error where a test has let in the machine's time
 */
export function testNow(): number {
  const now = vi.getMockedSystemTime()
  if (now === null) throw new Error('This is the time of the machine')
  return now.getTime()
}
