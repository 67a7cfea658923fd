// Sets the live flag of a stream by hand, for installations without the platform.

import type { World } from '../../adapters/world.ts'
import { afterStaff } from '../../rules/live-state.ts'
import { Refusal } from '../../rules/refusal.ts'
import type { StaffMember } from '../../rules/staff-call.ts'
import { recordStaffAction } from '../audit/tables.ts'
import { lockStreamLive, writeStreamLive } from './live-tables.ts'

/** What is set stands until the platform says the same. @throws Refusal not_found */
export async function setLive(
  world: World,
  staff: StaffMember,
  id: number,
  order: { readonly isLive: boolean; readonly streamId: string | undefined },
): Promise<void> {
  const now = world.clock.now()
  await world.db.transaction(async (tx) => {
    const stream = await lockStreamLive(tx, id)
    if (stream === undefined) throw new Refusal('not_found', 'Stream not found')
    const live = afterStaff(stream.live, order, world.random.uuid(), now)
    await writeStreamLive(tx, id, live)
    await recordStaffAction(tx, {
      ...staff,
      action: 'stream.set_live',
      targetType: 'stream',
      targetId: String(id),
      before: { isLive: stream.live.isLive, currentStreamId: stream.live.currentStreamId },
      after: { isLive: live.isLive, currentStreamId: live.currentStreamId },
      now,
    })
  })
  world.events.publish({ type: 'streams_changed' })
}
