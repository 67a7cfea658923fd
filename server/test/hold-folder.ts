// A process for tests that takes the lock on a folder, says how it went and stays until it is
// ended.

import { lockFolder } from '../src/adapters/data-folder/lock.ts'

const [folder, blocked] = process.argv.slice(2)
try {
  const lock = await lockFolder(folder!, new Date(0))
  process.stdout.write('held\n')
  if (blocked !== undefined) {
    // Blocks the event loop, as a computation would that does not end.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  }
  process.once('SIGTERM', async () => {
    await lock.release()
    process.exit(0)
  })
  setInterval(() => undefined, 60_000)
} catch (error) {
  process.stdout.write(`${(error as Error).message}\n`)
  process.exit(3)
}
