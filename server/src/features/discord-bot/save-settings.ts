// Saves what the Discord bot pays and when it posts.

import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import { refuseChangedMeanwhile } from '../../rules/changed-meanwhile.ts'
import { postingHours } from '../../rules/post-schedule.ts'
import { invariant } from '../../shared/domain-error.ts'
import { clearBotStop, lockSettings, type SettingsRow, writeSettings } from './settings-tables.ts'

interface SettingsFields {
  readonly rewardAmount?: number | undefined
  readonly isActive?: boolean | undefined
  readonly postSchedule?: readonly number[] | undefined
}

/** What is given changes; `expected` is what the sender saw in it. */
export interface SettingsChange extends SettingsFields {
  readonly expected?: SettingsFields | undefined
}

/**
 * Changes the given settings; the others keep what is saved, or the defaults while nothing is.
 * Posting by other hours, or again, begins with the next slot. A bot that stopped because of its
 * token tries again.
 * @throws DomainError changed_meanwhile
 */
export async function saveSettings(
  tx: Queryable,
  { now }: Author,
  change: SettingsChange,
): Promise<Outcome<void>> {
  const { row: before, isNew } = await lockSettings(tx)
  invariant(before !== undefined, 'locked settings exist')
  refuseChangedMeanwhile(before, change, change.expected)
  const rewardAmount = change.rewardAmount ?? before.rewardAmount
  const isActive = change.isActive ?? before.isActive
  const postSchedule = change.postSchedule ?? before.postSchedule
  const isSame = isActive === before.isActive && isSameSchedule(postSchedule, before.postSchedule)
  const scheduledFrom = isSame ? before.scheduledFrom : now
  await writeSettings(tx, { rewardAmount, isActive, postSchedule, scheduledFrom })
  await clearBotStop(tx)
  return {
    answer: undefined,
    audit: {
      action: 'discord_settings.save',
      targetType: 'setting',
      targetId: 'discord_bot',
      before: isNew ? undefined : auditedSettings(before),
      after: { rewardAmount, isActive, postSchedule },
    },
  }
}

function isSameSchedule(one: readonly number[], other: readonly number[]): boolean {
  return postingHours(one).join() === postingHours(other).join()
}

function auditedSettings({ rewardAmount, isActive, postSchedule }: SettingsRow) {
  return { rewardAmount, isActive, postSchedule }
}
