// Deletes a prize, and brings a deleted one back.

import type { Author } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { archivePrize, lockPrize, restorePrize } from './prize-tables.ts'
import { changedPrize, lockLivePrize, requirePackTypes } from './write-prize.ts'

/**
 * Takes a prize out of every list and draw. Its row stays for those who won it, and so that the
 * deletion can be undone. @throws DomainError not_found
 */
export async function deletePrize(tx: Queryable, { now }: Author, id: number) {
  const before = await lockLivePrize(tx, id)
  await requirePackTypes(
    tx,
    before.packTypes.map((packType) => packType.id),
  )
  await archivePrize(tx, id, now)
  return changedPrize(tx, 'delete', id, before)
}

/**
 * Undoes a deletion. @throws DomainError not_found, wrong_state when the prize is not deleted or
 * the pack that comes with it is
 */
export async function undeletePrize(tx: Queryable, { now }: Author, id: number) {
  const before = await lockPrize(tx, id)
  if (before === undefined) throw new DomainError('not_found', 'Prize not found')
  if (!before.isArchived) throw new DomainError('wrong_state', 'This prize is not deleted')
  if (before.packTypeId !== null) await requirePackReward(tx, before.packTypeId)
  await restorePrize(tx, id, now)
  return changedPrize(tx, 'restore', id, before)
}

async function requirePackReward(tx: Queryable, packTypeId: number): Promise<void> {
  await requirePackTypes(tx, [packTypeId]).catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error
    throw new DomainError('wrong_state', 'Restore the pack type that comes with this prize first')
  })
}
