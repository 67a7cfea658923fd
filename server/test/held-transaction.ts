// A transaction that stays open as long as a test wants.

import type { Database, Queryable } from '../src/adapters/db/database.ts'

/** Writes in a transaction that ends when it is told to; answers when it has written. */
export async function heldTransaction(db: Database, write: (tx: Queryable) => Promise<unknown>) {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  let ended: Promise<void> | undefined
  await new Promise<void>((hasWritten, fail) => {
    ended = db.longTransaction(60_000, async (tx) => {
      await write(tx)
      hasWritten()
      await released
    })
    ended.catch(fail)
  })
  return {
    /** Waits until it is committed. */
    async end() {
      release()
      await ended
    },
  }
}
