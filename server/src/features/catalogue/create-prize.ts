// Creates a prize with its stock and its pack types.

import type { Author } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import type { PictureText } from '../../adapters/images/images.ts'
import { setStock } from '../ledger/ledger-tables.ts'
import { addPrize, assignPackTypes, type PrizeValues } from './prize-tables.ts'
import { changedPrize, requirePackTypes } from './write-prize.ts'

export interface NewPrize extends Omit<PrizeValues, 'imageType'> {
  /** Data URL or base64 as it was sent, null for no picture. */
  readonly imageData: string | null
  /** Null means unlimited. */
  readonly inventoryQuantity: number | null
  /** At least one, without repetition. */
  readonly packTypeIds: readonly number[]
}

/**
 * Creates a prize with the picture as it is stored.
 * @throws DomainError not_found for an unknown pack type
 */
export async function createPrize(
  tx: Queryable,
  { now }: Author,
  prize: NewPrize,
  picture: PictureText,
) {
  const { packTypeIds, inventoryQuantity, packTypeId } = prize
  await requirePackTypes(tx, packTypeId === null ? packTypeIds : [...packTypeIds, packTypeId])
  const id = await addPrize(tx, { ...prize, ...picture }, now)
  if (inventoryQuantity !== null) {
    const source = { type: 'created', id: String(id) } as const
    // The public log says first that the prize is limited, then what there is of it.
    for (const quantity of [0, inventoryQuantity]) {
      await setStock(tx, { kind: 'prize', id, quantity, source, now })
    }
  }
  await assignPackTypes(tx, id, packTypeIds)
  return changedPrize(tx, 'create', id)
}
