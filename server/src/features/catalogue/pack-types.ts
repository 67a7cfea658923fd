// Pack types as staff change them: made, edited, deleted while nothing uses them, and restored.

import { adminPackTypesContract as packTypes, shownPackColor } from '@redpack/contract'
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
import { DomainError, existing } from '../../shared/domain-error.ts'
import { numberText } from '../../shared/number-text.ts'
import { targetOf } from '../../shared/staff-call.ts'
import { packTypeDeletion, requireRoomForPackType } from './catalogue-tables.ts'
import { type PictureText, readPictureText, type StoredImage, storeImage } from './image-tables.ts'
import { drawPicture, keepUpload, seenPicture } from './images.ts'
import {
  addPackType,
  changePackType,
  findLivePackType,
  lockPackType,
  type PackTypeRow,
  type PackTypeUses,
  type PackTypeValues,
  packTypeUses,
  readLivePackTypes,
  shutPackType,
} from './pack-type-tables.ts'

export function registerPackTypes(context: FeatureContext): void {
  const { app, deps, guards } = context
  serve(app, guards, packTypes.list, async () =>
    (await readLivePackTypes(deps.db)).map(packTypeAnswer),
  )
  serve(app, guards, packTypes.image, ({ params }) => imageOfPackType(deps.db, params.id))
  command(context, packTypes.create, {
    order: ({ body, file }) => ({ ...body, file: file?.bytes }),
    prepare: (sent) => drawPicture(deps, sent.file ?? sent.imageData),
    run: createPackType,
  })
  command(context, packTypes.update, {
    order: ({ params, body, file }) => [params.id, { ...body, file: file?.bytes }] as const,
    prepare: ([, { file, imageData }]) => drawPicture(deps, file ?? imageData),
    run: (tx, by, [id, change], picture) => updatePackType(tx, by, id, change, picture),
  })
  command(context, packTypes.remove, { order: ({ params }) => params.id, run: deletePackType })
  command(context, packTypes.restore, { order: ({ params }) => params.id, run: undeletePackType })
}

/** The picture of a pack type; null where there is none. @throws DomainError not_found */
async function imageOfPackType(db: Queryable, id: number) {
  const { imageUrl, imageHash } = existing(await findLivePackType(db, id), noPackType)
  return { imageUrl, ...(await readPictureText(db, imageHash)) }
}

interface NewPackType extends Omit<PackTypeValues, 'imageUrl' | 'imageHash'> {
  /** Of a picture elsewhere; undefined leaves it. */
  readonly imageUrl?: string | null | undefined
}

export async function createPackType(
  tx: Queryable,
  { now }: Author,
  packType: NewPackType,
  sent: StoredImage | null | undefined,
) {
  await requireRoomForPackType(tx)
  const picture = await pictureAfter(tx, now, { imageUrl: null, imageHash: null }, packType, sent)
  return changedPackType('create', await addPackType(tx, { ...packType, ...picture, now }))
}

/** Changes what is given, leaves the rest. @throws DomainError not_found, changed_meanwhile */
export async function updatePackType(
  tx: Queryable,
  { now }: Author,
  id: number,
  change: Edit<NewPackType & PictureText>,
  sent: StoredImage | null | undefined,
) {
  const before = await lockLivePackType(tx, id)
  const seen = await seenPicture(tx, before.imageHash, change.expected)
  // Staff see the hex of a theme: sent back as it was shown, it stays the theme.
  const color = shownPackColor(before.color) === change.color ? before.color : change.color
  const stored = { ...before, ...seen, color: shownPackColor(before.color) }
  refuseChangedMeanwhile(stored, change, change.expected)
  const picture = await pictureAfter(tx, now, before, change, sent)
  const values = withGiven<PackTypeValues>(before, { ...change, color, ...picture })
  return changedPackType('update', await changePackType(tx, { ...values, id, now }), before)
}

type Picture = Pick<PackTypeValues, 'imageUrl' | 'imageHash'>

/**
 * The picture after a request, kept from now on: one that was sent takes the place of an address,
 * and a new address that of one that was sent.
 */
async function pictureAfter(
  tx: Queryable,
  now: Date,
  before: Picture,
  { imageUrl = before.imageUrl }: Pick<NewPackType, 'imageUrl'>,
  sent: StoredImage | null | undefined,
): Promise<Picture> {
  if (sent) {
    await storeImage(tx, { ...sent, now })
    return { imageUrl: null, imageHash: sent.hash }
  }
  const isNewAddress = imageUrl !== null && imageUrl !== before.imageUrl
  if (isNewAddress) await keepUpload(tx, imageUrl)
  return { imageUrl, imageHash: isNewAddress || sent === null ? null : before.imageHash }
}

/**
 * Takes a pack type out of every list. Its row stays for past openings and purchases, and so that
 * the deletion can be undone.
 * @throws DomainError not_found, in_use while packs of it are held, sold, or given by a stream or
 * prize
 */
export async function deletePackType(tx: Queryable, { now }: Author, id: number) {
  const before = await lockLivePackType(tx, id)
  // One in use is told apart first, so that asking in vain keeps nobody from opening.
  await refuseUsed(tx, id)
  await shutPackType(tx, id)
  await refuseUsed(tx, id)
  await packTypeDeletion.archive(tx, id, now)
  const done = changedPackType('delete', { ...before, isArchived: true }, before)
  return withSentence(done, 'Pack type deleted successfully')
}

async function refuseUsed(tx: Queryable, id: number): Promise<void> {
  const use = firstUse(await packTypeUses(tx, id))
  if (use !== undefined) throw new DomainError('in_use', `This pack type is in use: ${use}`)
}

function firstUse({ heldPacks, listings, streams, prizes }: PackTypeUses): string | undefined {
  const counted = (count: number, word: string) =>
    `${numberText(count)} ${word}${count === 1 ? '' : 's'}`
  if (heldPacks > 0) return `users hold ${counted(heldPacks, 'pack')} of it unopened`
  if (listings > 0) return `the store sells it in ${counted(listings, 'listing')}`
  if (streams > 0) return `it is the reward of ${counted(streams, 'stream')}`
  if (prizes > 0) return `it comes with ${counted(prizes, 'prize')}`
  return undefined
}

/**
 * Undoes a deletion. @throws DomainError not_found, wrong_state when the pack type is not deleted
 */
async function undeletePackType(tx: Queryable, { now }: Author, id: number) {
  await requireRoomForPackType(tx)
  const before = existing(await lockPackType(tx, id), noPackType)
  if (!before.isArchived) throw new DomainError('wrong_state', 'This pack type is not deleted')
  await packTypeDeletion.restore(tx, id, now)
  return changedPackType('restore', { ...before, isArchived: false }, before)
}

const noPackType = 'Pack type not found'

/** Locks a pack type that is not deleted. @throws DomainError not_found */
async function lockLivePackType(tx: Queryable, id: number): Promise<PackTypeRow> {
  const row = await lockPackType(tx, id)
  return existing(row?.isArchived ? undefined : row, noPackType)
}

/** A pack type after a change, with the entry and the events of it. */
function changedPackType(
  action: 'create' | 'update' | 'delete' | 'restore',
  after: PackTypeRow,
  before?: PackTypeRow,
) {
  return {
    answer: packTypeAnswer(after),
    audit: isSame(before, after)
      ? undefined
      : {
          action: `pack_type.${action}`,
          ...targetOf('pack_type', after.id),
          before: before && packTypeAnswer(before),
          after: { ...packTypeAnswer(after), isArchived: after.isArchived },
        },
    // The store shows what its packs look like.
    events: [
      { type: 'catalogue_changed', what: 'pack_types' },
      { type: 'catalogue_changed', what: 'listings' },
    ],
  } satisfies Outcome<unknown>
}

/** A pack type as staff see it: the colour of a theme as its hex, a picture is there or not. */
function packTypeAnswer({ imageHash, isArchived, color, ...packType }: PackTypeRow) {
  const hasImage = packType.imageUrl !== null || imageHash !== null
  return { ...packType, color: shownPackColor(color), hasImage }
}
