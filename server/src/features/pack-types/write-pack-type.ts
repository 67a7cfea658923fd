// What every change of a pack type has in common: the picture, the audit row, the answer.

import type { Queryable } from '../../adapters/db/database.ts'
import type { Images, PictureText } from '../../adapters/images/images.ts'
import type { World } from '../../adapters/world.ts'
import { Refusal } from '../../rules/refusal.ts'
import type { StaffCall } from '../../rules/staff-call.ts'
import { recordStaffAction } from '../audit/tables.ts'
import { lockPackType, type PackTypeRow } from './tables.ts'

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
 * an upload. @throws Refusal for what is no picture or too large
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

/** Locks a pack type that is not deleted. @throws Refusal not_found */
export async function lockLivePackType(tx: Queryable, id: number): Promise<PackTypeRow> {
  const row = await lockPackType(tx, id)
  if (row === undefined || row.isArchived) throw new Refusal('not_found', 'Pack type not found')
  return row
}

/** Records what was done to a pack type. */
export async function recordPackTypeChange(
  tx: Queryable,
  staff: StaffCall,
  action: 'create' | 'update' | 'delete' | 'restore',
  change: {
    readonly before?: PackTypeRow
    readonly after: PackTypeRow
    readonly now: Date
  },
): Promise<void> {
  await recordStaffAction(tx, {
    actorId: staff.actorId,
    action: `pack_type.${action}`,
    targetType: 'pack_type',
    targetId: String(change.after.id),
    before: change.before && packTypeAnswer(change.before),
    after: { ...packTypeAnswer(change.after), isArchived: change.after.isArchived },
    requestId: staff.requestId,
    now: change.now,
  })
}

/** A pack type as staff see it: without the bytes of its picture. */
export function packTypeAnswer(row: PackTypeRow) {
  const { id, name, description, color, icon, imageUrl, imageData } = row
  const hasImage = imageUrl !== null || imageData !== null
  return { id, name, description, color, icon, imageUrl, hasImage }
}

/** Tells open pages that pack types have changed, and with them what the store shows. */
export function announcePackTypes(world: World): void {
  world.events.publish({ type: 'catalogue_changed', what: 'pack_types' })
  world.events.publish({ type: 'catalogue_changed', what: 'listings' })
}
