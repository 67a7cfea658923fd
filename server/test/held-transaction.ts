// A transaction that stays open as long as a test wants.

import { type Database, type Queryable, statement } from '../src/adapters/db/database.ts'

const countWaiting = statement(
  'test_count_waiting',
  `SELECT count(*)::int FROM pg_stat_activity
   WHERE datname = current_database() AND wait_event_type = 'Lock'`,
)

/** How many statements of this database wait for a lock. */
export async function waitingForLocks(db: Queryable): Promise<number> {
  const [row] = await db.run<{ count: number }>(countWaiting, [])
  return row?.count ?? 0
}

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
