// Deletes streams so that they can be brought back, and removes them for good after a while.

import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import { sqlState } from '../../adapters/db/retry.ts'
import type { Deps } from '../../adapters/deps.ts'
import { DomainError } from '../../shared/domain-error.ts'
import {
  archiveStream,
  holdPackTypesOfStream,
  lockStream,
  removeOldStreams,
  restoreArchived,
  rewardsOf,
} from './stream-tables.ts'

const uniqueViolation = '23505'
const keptMillis = 7 * 86_400_000
const batchMax = 100

/**
 * Hides a stream from everyone at once. Its completions keep it for ever; without any it is removed
 * after seven days, in which it can be brought back.
 * @throws DomainError not_found
 */
export async function deleteStream(
  tx: Queryable,
  { now }: Author,
  id: number,
): Promise<Outcome<void>> {
  const before = await lockStream(tx, id, { isDeleted: false })
  if (before === undefined) throw new DomainError('not_found', 'Stream not found')
  await archiveStream(tx, id, now)
  return {
    answer: undefined,
    audit: { action: 'stream.delete', targetType: 'stream', targetId: String(id), before },
    events: [{ type: 'streams_changed' }],
  }
}

/**
 * Brings a deleted stream back as it was.
 * @throws DomainError not_found when it is gone for good or was never deleted, duplicate when
 * another stream has taken its channel, wrong_state when a pack type that it rewards is deleted
 */
export async function restoreStream(
  tx: Queryable,
  { now }: Author,
  id: number,
): Promise<Outcome<void>> {
  const before = await lockStream(tx, id, { isDeleted: true })
  if (before === undefined) throw new DomainError('not_found', 'Deleted stream not found')
  const rewarded = (await rewardsOf(tx, id)).map(({ packTypeId }) => packTypeId)
  if (!(await holdPackTypesOfStream(tx, [before.rewardPackTypeId, ...rewarded]))) {
    throw new DomainError('wrong_state', 'Restore the pack type that this stream rewards first')
  }
  await restoreArchived(tx, id, now).catch((error: unknown) => {
    if (sqlState(error) !== uniqueViolation) throw error
    throw new DomainError('duplicate', 'Another stream has taken this Twitch channel ID')
  })
  return {
    answer: undefined,
    audit: { action: 'stream.restore', targetType: 'stream', targetId: String(id) },
    events: [{ type: 'streams_changed' }],
  }
}

/** Removes streams deleted seven days ago or earlier that nobody has completed. */
export async function removeDeletedStreams({
  db,
  clock,
}: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const before = new Date(clock.now().getTime() - keptMillis)
  const removeBatch = () => db.transaction((tx) => removeOldStreams(tx, before, batchMax))
  while ((await removeBatch()) === batchMax);
}
