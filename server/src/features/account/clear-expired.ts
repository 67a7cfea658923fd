// Removes what has expired by itself: sessions, sign-ins that nobody came back from, and the notes
// by which processes hear of sessions that have ended.

import type { Deps } from '../../adapters/deps.ts'
import { deleteEndedSessions, deleteExpiredAttempts, deleteExpiredSessions } from './tables.ts'

const batchesMax = 100

/** May run at any time and as often as one likes. */
export async function clearExpired({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  for (const remove of [deleteExpiredSessions, deleteExpiredAttempts, deleteEndedSessions]) {
    for (let batch = 0; batch < batchesMax; batch += 1) {
      if ((await remove(db, now)) === 0) break
    }
  }
}
