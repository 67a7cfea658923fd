// What every change of a pack type has in common: the picture, the audit row, the answer.

import type { Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import type { Images, PictureText } from '../../adapters/images/images.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { lockPackType, type PackTypeRow } from './pack-type-tables.ts'

/** What a request says about the picture; an absent key leaves it as it is. */
export interface SentPicture {
  /** File of a form. */
  readonly file?: Buffer | undefined
  readonly imageUrl?: string | null | undefined
  /** Data URL or base64. */
  readonly imageData?: string | null | undefined
}

export type Picture = PictureText & { readonly imageUrl: string | null }

/**
 * The picture after a request: an upload takes the place of an address, and a new address that of
 * an upload. @throws DomainError for what is no picture or too large
 */
export async function pictureAfter(
  images: Images,
  sent: SentPicture,
  stored: Picture,
): Promise<Picture> {
  const kept: PictureText = { imageData: stored.imageData, imageType: stored.imageType }
  const upload = sent.file ?? sent.imageData
  if (upload !== undefined && upload !== null) {
    return { ...(await images.toStore(upload, kept)), imageUrl: null }
  }
  const left = await images.toStore(upload, kept)
  if (sent.imageUrl === undefined) return { ...left, imageUrl: stored.imageUrl }
  const isNew = sent.imageUrl !== null && sent.imageUrl !== stored.imageUrl
  return { ...(isNew ? await images.toStore(null) : left), imageUrl: sent.imageUrl }
}

/** Locks a pack type that is not deleted. @throws DomainError not_found */
export async function lockLivePackType(tx: Queryable, id: number): Promise<PackTypeRow> {
  const row = await lockPackType(tx, id)
  if (row === undefined || row.isArchived) throw new DomainError('not_found', 'Pack type not found')
  return row
}

/** A pack type after a change, with the entry and the events of it. */
export function changedPackType(
  action: 'create' | 'update' | 'delete' | 'restore',
  after: PackTypeRow,
  before?: PackTypeRow,
) {
  return {
    answer: packTypeAnswer(after),
    audit: {
      action: `pack_type.${action}`,
      targetType: 'pack_type',
      targetId: String(after.id),
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

/** A pack type as staff see it: without the bytes of its picture. */
function packTypeAnswer(row: PackTypeRow) {
  const { id, name, description, color, icon, imageUrl, imageData } = row
  const hasImage = imageUrl !== null || imageData !== null
  return { id, name, description, color, icon, imageUrl, hasImage }
}
