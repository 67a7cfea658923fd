// Opens and closes streams at the edges of their auto-schedule windows.

import type { World } from '../../adapters/world.ts'
import { dueEdge } from '../../rules/scheduled-time.ts'
import { applyScheduleEdge, lockScheduledStreams } from './tables.ts'

const batchMax = 500

/** Applies each edge once, so what staff toggle in between stays. */
export async function applySchedules(world: Pick<World, 'db' | 'clock' | 'events'>): Promise<void> {
  const now = world.clock.now()
  const changed = await world.db.transaction(async (tx) => {
    let count = 0
    for (const { id, ...schedule } of await lockScheduledStreams(tx, now, batchMax)) {
      const edge = dueEdge({ isEnabled: true, ...schedule }, now)
      if (edge === undefined) continue
      await applyScheduleEdge(tx, id, edge, now)
      count += 1
    }
    return count
  })
  if (changed > 0) world.events.publish({ type: 'streams_changed' })
}
