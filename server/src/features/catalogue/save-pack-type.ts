// Creates a pack type, or changes the given fields of one.

import type { Author } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import type { Images } from '../../adapters/images/images.ts'
import { refuseChangedMeanwhile } from '../../rules/changed-meanwhile.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { addPackType, changePackType, readPicture } from './pack-type-tables.ts'
import {
  changedPackType,
  lockLivePackType,
  type Picture,
  pictureAfter,
  type SentPicture,
} from './write-pack-type.ts'

interface PackTypeTexts {
  readonly name: string
  readonly description: string
  readonly color: string
  readonly icon: string
}

export type NewPackType = PackTypeTexts & SentPicture
type PackTypeFields = {
  readonly [K in keyof PackTypeTexts]?: PackTypeTexts[K] | undefined
} & SentPicture
/** What is given changes; `expected` is what the sender saw in it. */
export type PackTypeChange = PackTypeFields & { readonly expected?: PackTypeFields | undefined }

const noPicture = { imageUrl: null, imageData: null, imageType: null }

/** The picture of a new pack type. @throws DomainError for what is no picture or too large */
export function newPicture(images: Images, sent: SentPicture): Promise<Picture> {
  return pictureAfter(images, sent, noPicture)
}

/**
 * The picture as it will be stored, from what is stored now; nothing when the change leaves it. Of
 * two who change it at once the later one stands.
 * @throws DomainError not_found, and for what is no picture or too large
 */
export async function changedPicture(
  db: Queryable,
  images: Images,
  id: number,
  sent: SentPicture,
): Promise<Partial<Picture>> {
  const stored = await readPicture(db, id)
  if (stored === undefined) throw new DomainError('not_found', 'Pack type not found')
  const { file, imageUrl, imageData } = sent
  const isTouched = file !== undefined || imageUrl !== undefined || imageData !== undefined
  return isTouched ? pictureAfter(images, sent, stored) : {}
}

export async function createPackType(
  tx: Queryable,
  { now }: Author,
  { name, description, color, icon }: NewPackType,
  picture: Picture,
) {
  const values = { name, description, color, icon, ...picture }
  return changedPackType('create', await addPackType(tx, values, now))
}

/** Changes what is given, leaves the rest. @throws DomainError not_found, changed_meanwhile */
export async function updatePackType(
  tx: Queryable,
  { now }: Author,
  id: number,
  change: PackTypeChange,
  picture: Partial<Picture>,
) {
  const before = await lockLivePackType(tx, id)
  refuseChangedMeanwhile(before, change, change.expected)
  const values = {
    name: change.name ?? before.name,
    description: change.description ?? before.description,
    color: change.color ?? before.color,
    icon: change.icon ?? before.icon,
    imageUrl: before.imageUrl,
    imageData: before.imageData,
    imageType: before.imageType,
    ...picture,
  }
  return changedPackType('update', await changePackType(tx, id, values, now), before)
}
