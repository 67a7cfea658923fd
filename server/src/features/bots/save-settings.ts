// Saves what the Discord bot pays and when it posts.

import type { World } from '../../adapters/world.ts'
import { postingHours } from '../../rules/post-schedule.ts'
import { invariant } from '../../rules/refusal.ts'
import type { StaffMember } from '../../rules/staff-call.ts'
import { recordStaffAction } from '../audit/tables.ts'
import { clearBotStop, lockSettings, type SettingsRow, writeSettings } from './settings-tables.ts'

export interface SettingsChange {
  readonly rewardAmount?: number | undefined
  readonly isActive?: boolean | undefined
  readonly postSchedule?: readonly number[] | undefined
}

/**
 * Changes the given settings; the others keep what is saved, or the defaults while nothing is.
 * Posting by other hours, or again, begins with the next slot. A bot that stopped because of its
 * token tries again.
 */
export async function saveSettings(
  world: World,
  staff: StaffMember,
  change: SettingsChange,
): Promise<void> {
  const now = world.clock.now()
  await world.db.transaction(async (tx) => {
    const { row: before, isNew } = await lockSettings(tx)
    invariant(before !== undefined, 'locked settings exist')
    const rewardAmount = change.rewardAmount ?? before.rewardAmount
    const isActive = change.isActive ?? before.isActive
    const postSchedule = change.postSchedule ?? before.postSchedule
    const isSame = isActive === before.isActive && isSameSchedule(postSchedule, before.postSchedule)
    const scheduledFrom = isSame ? before.scheduledFrom : now
    await writeSettings(tx, { rewardAmount, isActive, postSchedule, scheduledFrom })
    await clearBotStop(tx)
    await recordStaffAction(tx, {
      ...staff,
      action: 'discord_settings.save',
      targetType: 'setting',
      targetId: 'discord_bot',
      before: isNew ? undefined : shown(before),
      after: { rewardAmount, isActive, postSchedule },
      now,
    })
  })
}

function isSameSchedule(one: readonly number[], other: readonly number[]): boolean {
  return postingHours(one).join() === postingHours(other).join()
}

function shown({ rewardAmount, isActive, postSchedule }: SettingsRow) {
  return { rewardAmount, isActive, postSchedule }
}
