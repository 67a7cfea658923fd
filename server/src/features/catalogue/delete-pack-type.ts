// Deletes a pack type that nothing uses, and brings a deleted one back.

import type { Author } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { numberText } from '../../shared/number-text.ts'
import {
  archivePackType,
  lockPackType,
  type PackTypeUses,
  packTypeUses,
  restorePackType,
} from './pack-type-tables.ts'
import { changedPackType, lockLivePackType } from './write-pack-type.ts'

/**
 * Takes a pack type out of every list. Its row stays for past openings and purchases, and so that
 * the deletion can be undone.
 * @throws DomainError not_found, in_use while packs of it are held, sold, or given by a stream or
 * prize
 */
export async function deletePackType(tx: Queryable, { now }: Author, id: number) {
  const before = await lockLivePackType(tx, id)
  const use = firstUse(await packTypeUses(tx, id))
  if (use !== undefined) throw new DomainError('in_use', `This pack type is in use: ${use}`)
  await archivePackType(tx, id, now)
  return changedPackType('delete', { ...before, isArchived: true }, before)
}

function firstUse({ heldPacks, listings, streams, prizes }: PackTypeUses): string | undefined {
  if (heldPacks > 0) return `users hold ${numberText(heldPacks)} unopened pack(s) of it`
  if (listings > 0) return `${numberText(listings)} active listing(s) sell it`
  if (streams > 0) return `${numberText(streams)} stream(s) reward it`
  if (prizes > 0) return `${numberText(prizes)} prize(s) come with it`
  return undefined
}

/**
 * Undoes a deletion. @throws DomainError not_found, wrong_state when the pack type is not deleted
 */
export async function undeletePackType(tx: Queryable, { now }: Author, id: number) {
  const before = await lockPackType(tx, id)
  if (before === undefined) throw new DomainError('not_found', 'Pack type not found')
  if (!before.isArchived) throw new DomainError('wrong_state', 'This pack type is not deleted')
  return changedPackType('restore', await restorePackType(tx, id, now), before)
}
