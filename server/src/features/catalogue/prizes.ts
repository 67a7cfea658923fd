// Prizes as staff change them: made, edited, deleted, restored, and their stock.

import { type AdminPrize, adminPrizesContract as prizes } from '@redpack/contract'
import { stockMax } from '@redpack/contract/limits'
import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import { command, withSentence } from '../../adapters/http/command.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import {
  type Edit,
  isSame,
  refuseChangedMeanwhile,
  withGiven,
} from '../../rules/changed-meanwhile.ts'
import { DomainError, existing, invariant, wrongField } from '../../shared/domain-error.ts'
import { targetOf } from '../../shared/staff-call.ts'
import { setStock } from '../ledger/ledger-tables.ts'
import { prizeDeletion, requireRoomForPrize } from './catalogue-tables.ts'
import { type PictureText, readPictureText, type StoredImage, storeImage } from './image-tables.ts'
import { drawPicture, seenPicture } from './images.ts'
import { lockLivePackTypes } from './pack-type-tables.ts'
import { isBeingSent, untilWinsEnd, unusedCodes } from './prize-code-tables.ts'
import {
  addPrize,
  assignPackTypes,
  changePrize,
  isMemberOfStaff,
  lockPrize,
  type PrizeRow,
  type PrizeValues,
  readLivePrizes,
  readPrize,
} from './prize-tables.ts'

export function registerPrizes(context: FeatureContext): void {
  const { app, deps, guards } = context
  serve(app, guards, prizes.list, async () => (await readLivePrizes(deps.db)).map(prizeAnswer))
  command(context, prizes.create, {
    order: ({ body }) => body,
    prepare: ({ imageData }) => drawPicture(deps, imageData),
    run: createPrize,
  })
  command(context, prizes.update, {
    order: ({ params, body }) => [params.id, body] as const,
    prepare: ([, { imageData }]) => drawPicture(deps, imageData),
    run: (tx, by, [id, change], picture) => updatePrize(tx, by, id, change, picture),
  })
  command(context, prizes.remove, { order: ({ params }) => params.id, run: deletePrize })
  command(context, prizes.restore, { order: ({ params }) => params.id, run: undeletePrize })
  command(context, prizes.addInventory, {
    order: ({ params, body }) => [params.id, { add: body.quantity }] as const,
    run: (tx, by, [id, change]) => changeStock(tx, by, id, change),
  })
  command(context, prizes.setInventory, {
    order: ({ params, body }) =>
      [params.id, { set: body.quantity, expected: body.expected }] as const,
    run: (tx, by, [id, change]) => changeStock(tx, by, id, change),
  })
}

interface NewPrize extends Omit<PrizeValues, 'imageHash'> {
  /** Null means unlimited. */
  readonly inventoryQuantity: number | null
  /** At least one, without repetition. */
  readonly packTypeIds: readonly number[]
}

/**
 * @throws DomainError not_found for an unknown pack type, invalid_input for a handler who is not
 * of the staff
 */
export async function createPrize(
  tx: Queryable,
  { now }: Author,
  prize: NewPrize,
  picture: StoredImage | null | undefined,
) {
  const { packTypeIds, packTypeId } = prize
  await requireRoomForPrize(tx)
  refuseMixture(prize)
  if (prize.deliversCodes && (prize.inventoryQuantity ?? 0) !== 0) throw stockIsCodes()
  const inventoryQuantity = prize.deliversCodes ? 0 : prize.inventoryQuantity
  await requireStaff(tx, prize.handlerId)
  await requirePackTypes(tx, packTypeId === null ? packTypeIds : [...packTypeIds, packTypeId])
  if (picture) await storeImage(tx, { ...picture, now })
  const id = await addPrize(tx, { ...prize, imageHash: picture?.hash ?? null }, now)
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

type PrizeChange = Edit<NewPrize & PictureText>

/**
 * Changes a prize; a picture of undefined stays. A new chance, name or amount makes a new odds
 * table; openings under way start over with it.
 * @throws DomainError not_found for the prize or a pack type, changed_meanwhile,
 * invalid_input for a handler who is not of the staff
 */
async function updatePrize(
  tx: Queryable,
  { requestId, now }: Author,
  id: number,
  change: PrizeChange,
  picture: StoredImage | null | undefined,
) {
  const before = await lockLivePrize(tx, id)
  const { packTypeIds, expected } = change
  const seen = await seenPicture(tx, before.imageHash, expected)
  refuseChangedMeanwhile({ ...before, ...seen, packTypeIds: idsOf(before) }, change, expected)
  if (change.handlerId !== before.handlerId) await requireStaff(tx, change.handlerId)
  await requirePackTypes(tx, newPackTypes(before, change))
  if (picture) await storeImage(tx, { ...picture, now })
  const imageHash = picture === null ? null : picture?.hash
  const after = withGiven<PrizeValues>(before, { ...change, imageHash })
  refuseMixture(after)
  const inventoryQuantity = await stockAfter(tx, before, change, after.deliversCodes)
  await changePrize(tx, id, after, now)
  if (inventoryQuantity !== undefined && inventoryQuantity !== before.inventoryQuantity) {
    const source = { type: 'staff_change', id: requestId } as const
    await setStock(tx, { kind: 'prize', id, quantity: inventoryQuantity, source, now })
  }
  if (packTypeIds !== undefined) await assignPackTypes(tx, id, packTypeIds)
  return changedPrize(tx, 'update', id, before)
}

const stockIsCodes = () =>
  new DomainError(
    'wrong_state',
    'The stock of this prize is the number of its unused codes: add codes instead',
  )

/** @throws DomainError invalid_input for a code beside RedCoin or packs */
function refuseMixture(prize: PrizeValues | NewPrize): void {
  const { deliversCodes, redCoinAmount, packTypeId, packQuantity } = prize
  if (!deliversCodes || (redCoinAmount === 0 && (packTypeId === null || packQuantity === 0))) return
  throw wrongField('deliversCodes', 'A prize that delivers a code pays neither RedCoin nor packs')
}

/**
 * The stock that a change asks for, undefined for none. With codes it is what is unused of them.
 * @throws DomainError wrong_state for another one, and where codes would be left behind
 */
async function stockAfter(
  tx: Queryable,
  before: PrizeRow,
  { inventoryQuantity }: PrizeChange,
  deliversCodes: boolean,
): Promise<number | null | undefined> {
  if (!deliversCodes && !before.deliversCodes) return inventoryQuantity
  const unused = await unusedCodes(tx, before.id)
  if (deliversCodes) {
    if (!before.deliversCodes) {
      if (before.inventoryQuantity === null) await untilWinsEnd(tx)
      // A unit that comes back has no code.
      if (await isBeingSent(tx, before.id)) {
        const sentence =
          'Some wins of this prize are still to be delivered: make a new prize for the codes'
        throw new DomainError('wrong_state', sentence)
      }
    }
    const isSame = inventoryQuantity === undefined || inventoryQuantity === before.inventoryQuantity
    if (before.deliversCodes && !isSame) throw stockIsCodes()
    return unused
  }
  if (unused === 0) return inventoryQuantity
  throw new DomainError('wrong_state', 'This prize has codes that nobody has won yet')
}

/**
 * Every pack type whose odds may change, locked in id order, and the new ones must be there. The
 * pack that comes with the prize counts only when it changes: what stands may stay.
 */
function newPackTypes(before: PrizeRow, change: PrizeChange): number[] {
  const assigned = [...idsOf(before), ...(change.packTypeIds ?? [])]
  const reward = change.packTypeId ?? null
  return reward === null || reward === before.packTypeId ? assigned : [...assigned, reward]
}

/**
 * Takes a prize out of every list and draw. Its row stays for those who won it, and so that the
 * deletion can be undone. @throws DomainError not_found
 */
async function deletePrize(tx: Queryable, { now }: Author, id: number) {
  const before = await lockLivePrize(tx, id)
  await requirePackTypes(tx, idsOf(before))
  await prizeDeletion.archive(tx, id, now)
  return withSentence(await changedPrize(tx, 'delete', id, before), 'Prize deleted successfully')
}

/**
 * Undoes a deletion. @throws DomainError not_found, wrong_state when the prize is not deleted or
 * the pack that comes with it is
 */
async function undeletePrize(tx: Queryable, { now }: Author, id: number) {
  await requireRoomForPrize(tx)
  const before = existing(await lockPrize(tx, id), 'Prize not found')
  if (!before.isArchived) throw new DomainError('wrong_state', 'This prize is not deleted')
  if (before.packTypeId !== null && !(await areLive(tx, [before.packTypeId]))) {
    throw new DomainError('wrong_state', 'Restore the pack type that comes with this prize first')
  }
  await prizeDeletion.restore(tx, id, now)
  return changedPrize(tx, 'restore', id, before)
}

/** Units to add, 1 or more, or the new stock with null for unlimited. */
type StockChange =
  | { readonly add: number }
  | {
      readonly set: number | null
      /** What the sender saw before. */
      readonly expected?: { readonly quantity?: number | null | undefined } | undefined
    }

/**
 * Changes the stock from what it is under the lock, so a win in between is not undone.
 * @throws DomainError not_found, unlimited_stock when adding to what has no end, invalid_input when
 * the stock would be too large, changed_meanwhile, wrong_state for a prize that delivers codes
 */
export async function changeStock(
  tx: Queryable,
  { requestId, now }: Author,
  id: number,
  change: StockChange,
) {
  const before = await lockLivePrize(tx, id)
  if (before.deliversCodes) throw stockIsCodes()
  if ('set' in change) {
    const stored = { quantity: before.inventoryQuantity }
    refuseChangedMeanwhile(stored, { quantity: change.set }, change.expected)
  }
  const quantity = 'set' in change ? change.set : sum(before.inventoryQuantity, change.add)
  if (quantity !== before.inventoryQuantity) {
    const source = { type: 'staff_change', id: requestId } as const
    await setStock(tx, { kind: 'prize', id, quantity, source, now })
  }
  return changedPrize(tx, 'change_stock', id, before)
}

/** @throws DomainError unlimited_stock, invalid_input when it would be too large */
export function sum(stock: number | null, more: number): number {
  if (stock === null) throw new DomainError('unlimited_stock', 'Prize has unlimited stock')
  if (stock + more > stockMax) throw new DomainError('invalid_input', 'Quantity is too large')
  return stock + more
}

/** Locks a prize that is not deleted. @throws DomainError not_found */
export async function lockLivePrize(tx: Queryable, id: number): Promise<PrizeRow> {
  const prize = await lockPrize(tx, id)
  if (prize === undefined || prize.isArchived) throw new DomainError('not_found', 'Prize not found')
  return prize
}

/** Locks the pack types in question; false when one of them is not there. */
async function areLive(tx: Queryable, ids: readonly number[]): Promise<boolean> {
  const wanted = [...new Set(ids)]
  return (await lockLivePackTypes(tx, wanted)).length === wanted.length
}

/** The same. @throws DomainError not_found when one of them is not there */
async function requirePackTypes(tx: Queryable, ids: readonly number[]): Promise<void> {
  if (!(await areLive(tx, ids))) throw new DomainError('not_found', 'Pack type not found')
}

async function requireStaff(tx: Queryable, id: number | null | undefined): Promise<void> {
  if (id === null || id === undefined || (await isMemberOfStaff(tx, id))) return
  throw wrongField('handlerId', 'The handler must be a member of staff')
}

/** In id order. */
const idsOf = ({ packTypes }: Pick<PrizeRow, 'packTypes'>) => packTypes.map(({ id }) => id)

type PrizeAction = 'create' | 'update' | 'delete' | 'restore' | 'change_stock'

/** With prizes the odds of packs change. */
export const prizesChanged = [
  { type: 'catalogue_changed', what: 'prizes' },
  { type: 'catalogue_changed', what: 'pack_types' },
] as const

/** A prize as it is after a change, with the entry and the events of it. */
async function changedPrize(tx: Queryable, action: PrizeAction, id: number, before?: PrizeRow) {
  const after = await readPrize(tx, id)
  invariant(after !== undefined, 'a prize that was just written is there')
  return {
    answer: prizeAnswer({ ...after, ...(await readPictureText(tx, after.imageHash)) }),
    audit: isSame(before, after)
      ? undefined
      : {
          action: `prize.${action}`,
          ...targetOf('prize', id),
          before: before && audited(before),
          after: audited(after),
        },
    events: prizesChanged,
  } satisfies Outcome<unknown>
}

/** A prize as the log keeps it: a picture is there or not. */
function audited({ imageHash, packTypes, createdAt, ...rest }: PrizeRow) {
  return { ...rest, hasImage: imageHash !== null, packTypeIds: packTypes.map(({ id }) => id) }
}

function prizeAnswer(prize: PrizeRow & PictureText & Pick<AdminPrize, 'imageUrl'>) {
  const { isArchived, imageHash, imageUrl = null, imageData, imageType, ...rest } = prize
  const { inventoryQuantity, isActive, createdAt, packTypes, ...values } = rest
  return {
    ...values,
    imageUrl,
    imageData,
    imageType,
    inventoryQuantity,
    isActive,
    createdAt: createdAt.toISOString(),
    packTypes: [...packTypes],
    packTypeIds: idsOf(prize),
  }
}
