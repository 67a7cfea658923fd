// Changes the given fields of a prize; what is not given stays.

import type { Author } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import type { Images, PictureText } from '../../adapters/images/images.ts'
import { refuseChangedMeanwhile } from '../../rules/changed-meanwhile.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { setStock } from '../ledger/ledger-tables.ts'
import type { NewPrize } from './create-prize.ts'
import {
  assignPackTypes,
  changePrize,
  type LockedPrize,
  type PrizeValues,
  pictureOfPrize,
} from './prize-tables.ts'
import { changedPrize, lockLivePrize, requirePackTypes } from './write-prize.ts'

type PrizeFields = { readonly [K in keyof NewPrize]?: NewPrize[K] | undefined }
/** What is given changes; `expected` is what the sender saw in it. */
export type PrizeChange = PrizeFields & { readonly expected?: PrizeFields | undefined }

/**
 * The picture as it will be stored; nothing when the change leaves it.
 * @throws DomainError not_found, invalid_input for a picture that is none
 */
export async function pictureOfChange(
  db: Queryable,
  images: Images,
  id: number,
  { imageData }: PrizeChange,
): Promise<Partial<PictureText>> {
  const stored = await pictureOfPrize(db, id)
  if (stored === undefined) throw new DomainError('not_found', 'Prize not found')
  return imageData === undefined ? {} : images.toStore(imageData, stored)
}

/**
 * Changes a prize. A new chance, name or amount makes a new odds table; openings under way start
 * over with it.
 * @throws DomainError not_found for the prize or a pack type, changed_meanwhile
 */
export async function updatePrize(
  tx: Queryable,
  { requestId, now }: Author,
  id: number,
  change: PrizeChange,
  picture: Partial<PictureText>,
) {
  const before = await lockLivePrize(tx, id)
  const packTypeIdsBefore = before.packTypes.map(({ id }) => id).sort((a, b) => a - b)
  refuseChangedMeanwhile({ ...before, packTypeIds: packTypeIdsBefore }, change, change.expected)
  await requirePackTypes(tx, newPackTypes(before, change))
  await changePrize(tx, id, { ...merged(before, change), ...picture }, now)
  const { inventoryQuantity, packTypeIds } = change
  if (inventoryQuantity !== undefined && inventoryQuantity !== before.inventoryQuantity) {
    const source = { type: 'staff_change', id: requestId } as const
    await setStock(tx, { kind: 'prize', id, quantity: inventoryQuantity, source, now })
  }
  if (packTypeIds !== undefined) await assignPackTypes(tx, id, packTypeIds)
  return changedPrize(tx, 'update', id, before)
}

/**
 * Every pack type whose odds may change, locked in id order, and the new ones must be there. The
 * pack that comes with the prize counts only when it changes: what stands may stay.
 */
function newPackTypes(before: LockedPrize, change: PrizeChange): number[] {
  const assigned = [...before.packTypes.map(({ id }) => id), ...(change.packTypeIds ?? [])]
  const reward = change.packTypeId ?? null
  return reward === null || reward === before.packTypeId ? assigned : [...assigned, reward]
}

function merged(before: LockedPrize, change: PrizeChange): PrizeValues {
  return {
    name: change.name ?? before.name,
    description: change.description ?? before.description,
    claimInstructions: change.claimInstructions ?? before.claimInstructions,
    winFrequency: change.winFrequency ?? before.winFrequency,
    totalPacks: change.totalPacks ?? before.totalPacks,
    redCoinAmount: change.redCoinAmount ?? before.redCoinAmount,
    packTypeId: change.packTypeId === undefined ? before.packTypeId : change.packTypeId,
    packQuantity: change.packQuantity ?? before.packQuantity,
    isAlsoSent: change.isAlsoSent ?? before.isAlsoSent,
    imageData: before.imageData,
    imageType: before.imageType,
    isActive: change.isActive ?? before.isActive,
  }
}
