// Deletes streams so that they can be brought back, and removes them for good after a while.

import { sqlState } from '../../adapters/db/retry.ts'
import type { World } from '../../adapters/world.ts'
import { Refusal } from '../../rules/refusal.ts'
import type { StaffMember } from '../../rules/staff-call.ts'
import { recordStaffAction } from '../audit/tables.ts'
import {
  archiveStream,
  holdPackTypesOfStream,
  lockStream,
  removeOldStreams,
  restoreArchived,
  rewardsOf,
} from './tables.ts'

const uniqueViolation = '23505'
const keptMillis = 7 * 86_400_000
const batchMax = 100

/**
 * Hides a stream from everyone at once. Its completions keep it for ever; without any it is removed
 * after seven days, in which it can be brought back.
 * @throws Refusal not_found
 */
export async function deleteStream(world: World, staff: StaffMember, id: number): Promise<void> {
  const now = world.clock.now()
  await world.db.transaction(async (tx) => {
    const before = await lockStream(tx, id, { isDeleted: false })
    if (before === undefined) throw new Refusal('not_found', 'Stream not found')
    await archiveStream(tx, id, now)
    await recordStaffAction(tx, {
      ...staff,
      action: 'stream.delete',
      targetType: 'stream',
      targetId: String(id),
      before,
      now,
    })
  })
  world.events.publish({ type: 'streams_changed' })
}

/**
 * Brings a deleted stream back as it was.
 * @throws Refusal not_found when it is gone for good or was never deleted, duplicate when another
 * stream has taken its channel, wrong_state when a pack type that it rewards is deleted
 */
export async function restoreStream(world: World, staff: StaffMember, id: number): Promise<void> {
  const now = world.clock.now()
  await world.db.transaction(async (tx) => {
    const before = await lockStream(tx, id, { isDeleted: true })
    if (before === undefined) throw new Refusal('not_found', 'Deleted stream not found')
    const rewarded = (await rewardsOf(tx, id)).map(({ packTypeId }) => packTypeId)
    if (!(await holdPackTypesOfStream(tx, [before.rewardPackTypeId, ...rewarded]))) {
      throw new Refusal('wrong_state', 'Restore the pack type that this stream rewards first')
    }
    await restoreArchived(tx, id, now).catch((error: unknown) => {
      if (sqlState(error) !== uniqueViolation) throw error
      throw new Refusal('duplicate', 'Another stream has taken this Twitch channel ID')
    })
    await recordStaffAction(tx, {
      ...staff,
      action: 'stream.restore',
      targetType: 'stream',
      targetId: String(id),
      now,
    })
  })
  world.events.publish({ type: 'streams_changed' })
}

/** Removes streams deleted seven days ago or earlier that nobody has completed. */
export async function removeDeletedStreams({
  db,
  clock,
}: Pick<World, 'db' | 'clock'>): Promise<void> {
  const before = new Date(clock.now().getTime() - keptMillis)
  const removeBatch = () => db.transaction((tx) => removeOldStreams(tx, before, batchMax))
  while ((await removeBatch()) === batchMax);
}
