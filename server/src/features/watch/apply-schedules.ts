// Opens and closes streams at the edges of their auto-schedule windows.

import type { Deps } from '../../adapters/deps.ts'
import { dueEdge } from '../../rules/post-schedule.ts'
import { applyScheduleEdge, lockScheduledStreams } from './stream-tables.ts'

const batchMax = 500

/** Applies each edge once, so what staff toggle in between stays. */
export async function applySchedules(deps: Pick<Deps, 'db' | 'clock' | 'events'>): Promise<void> {
  const now = deps.clock.now()
  const changed = await deps.db.transaction(async (tx) => {
    let count = 0
    for (const { id, ...schedule } of await lockScheduledStreams(tx, now, batchMax)) {
      const edge = dueEdge({ isEnabled: true, ...schedule }, now)
      if (edge === undefined) continue
      await applyScheduleEdge(tx, id, edge, now)
      count += 1
    }
    return count
  })
  if (changed > 0) deps.events.publish({ type: 'streams_changed' })
}
