// Before each test: properties are tried with one seed, time stands still, and warnings or stack
// traces fail the test, since each is a fault of the product or of the test.

import fc from 'fast-check'
import { afterEach, beforeEach, vi } from 'vitest'
import { beginTime, stopTime } from './test-clock.ts'

fc.configureGlobal({ seed: 20261124 })
stopTime()

const said: string[] = []
const note = (...parts: unknown[]) => {
  const words = parts.map((part) => (part instanceof Error ? (part.stack ?? '') : String(part)))
  said.push(words.join(' '))
}
const warned = (warning: Error) => note(warning)

beforeEach(() => {
  said.length = 0
  vi.spyOn(console, 'error').mockImplementation(note)
  vi.spyOn(console, 'warn').mockImplementation(note)
  process.on('warning', warned)
})

afterEach(() => {
  beginTime()
  process.off('warning', warned)
  const written = said.splice(0)
  if (written.length > 0) throw new Error(`The test wrote a warning:\n${written.join('\n')}`)
})
