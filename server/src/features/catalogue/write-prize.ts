// What every change of a prize has in common: locks, checks, the audit row, the answer, the events.

import type { Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import { DomainError, invariant } from '../../shared/domain-error.ts'
import { lockLivePackTypes } from './pack-type-tables.ts'
import { type LockedPrize, lockPrize } from './prize-tables.ts'

/** Locks a prize that is not deleted. @throws DomainError not_found */
export async function lockLivePrize(tx: Queryable, id: number): Promise<LockedPrize> {
  const prize = await lockPrize(tx, id)
  if (prize === undefined || prize.isArchived) throw new DomainError('not_found', 'Prize not found')
  return prize
}

/** Locks the pack types in question. @throws DomainError not_found when one of them is not there */
export async function requirePackTypes(tx: Queryable, ids: readonly number[]): Promise<void> {
  const wanted = [...new Set(ids)]
  const found = await lockLivePackTypes(tx, wanted)
  if (found.length < wanted.length) throw new DomainError('not_found', 'Pack type not found')
}

type PrizeAction = 'create' | 'update' | 'delete' | 'restore' | 'change_stock'

/** A prize as it is after a change, with the entry and the events of it. */
export async function changedPrize(
  tx: Queryable,
  action: PrizeAction,
  id: number,
  before?: LockedPrize,
) {
  const after = await lockPrize(tx, id)
  invariant(after !== undefined, 'a prize that was just written is there')
  return {
    answer: prizeAnswer(after),
    audit: {
      action: `prize.${action}`,
      targetType: 'prize',
      targetId: String(id),
      before: before && audited(before),
      after: audited(after),
    },
    // With prizes the odds of packs change.
    events: [
      { type: 'catalogue_changed', what: 'prizes' },
      { type: 'catalogue_changed', what: 'pack_types' },
    ],
  } satisfies Outcome<unknown>
}

/** A prize as the log keeps it: a picture is there or not, its bytes would drown the rest. */
function audited({ imageData, imageType, packTypes, createdAt, ...rest }: LockedPrize) {
  return { ...rest, hasImage: imageData !== null, packTypeIds: packTypes.map(({ id }) => id) }
}

function prizeAnswer({ isArchived, ...prize }: LockedPrize) {
  const packTypes = [...prize.packTypes]
  return { ...prize, packTypes, packTypeIds: packTypes.map(({ id }) => id) }
}
