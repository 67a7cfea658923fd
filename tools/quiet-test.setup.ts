// Warnings and stack traces fail the test that writes them, since each is a fault of the product or
// the test. Those written after a test has ended fail the next one, or the file.

import { afterAll, afterEach, beforeEach } from 'vitest'

const said: string[] = []
const note = (...parts: unknown[]) => {
  const words = parts.map((part) => (part instanceof Error ? (part.stack ?? '') : String(part)))
  said.push(words.join(' '))
}

// No spies, which a test or the end of one takes away. A file whose tests are all skipped has no
// end, so each file takes the listener of the one before away.
Object.assign(console, { error: note, warn: note })
const heard = globalThis as { noteWarning?: (warning: Error) => void }
if (heard.noteWarning) process.off('warning', heard.noteWarning)
heard.noteWarning = (warning) => note(warning)
process.on('warning', heard.noteWarning)

function refuseWarnings(): void {
  const written = said.splice(0)
  if (written.length > 0) throw new Error(`The test wrote a warning:\n${written.join('\n')}`)
}

beforeEach(refuseWarnings)
afterEach(refuseWarnings)
afterAll(refuseWarnings)
