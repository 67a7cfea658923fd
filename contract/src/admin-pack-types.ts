// Pack types as staff manage them, and the upload of images (W-034 to W-039).

import * as z from 'zod/mini'
import { ImageText, ImageType } from './admin-prizes.ts'
import { ActionAnswer } from './answers.ts'
import { PackColor } from './color-values.ts'
import { packColorDefault } from './colors.ts'
import { endpoint } from './endpoint.ts'
import { nameMax, textMax, urlMax } from './limits.ts'
import { PackType } from './packs.ts'
import {
  blankableText,
  clearablePictureUrl,
  editObject,
  nameText,
  requestObject,
} from './values.ts'

/** A pack type without image bytes; `hasImage` says whether it has an image of either kind. */
export const AdminPackType = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  color: z.string(),
  icon: z.string(),
  imageUrl: z.nullable(z.string()),
  hasImage: z.boolean(),
})
export type AdminPackType = z.infer<typeof AdminPackType>

export const PackTypeImage = z.pick(PackType, { imageUrl: true, imageData: true, imageType: true })
export type PackTypeImage = z.infer<typeof PackTypeImage>

export const packIconDefault = 'package'

/** An absent image key leaves the image as it is. */
const fields = {
  name: nameText({ label: 'Pack type name', max: nameMax, required: 'Pack type name is required' }),
  description: z._default(blankableText({ label: 'Description', max: textMax }), ''),
  color: z._default(PackColor, packColorDefault),
  icon: z._default(
    z.pipe(
      z.nullable(nameText({ label: 'Icon', max: 50 })),
      z.transform((text) => (text === null || text === '' ? packIconDefault : text)),
    ),
    packIconDefault,
  ),
  imageUrl: z.optional(clearablePictureUrl({ label: 'Image URL', max: urlMax })),
  imageData: z.optional(ImageText),
  imageType: z.optional(ImageType),
}

/** JSON, or the text parts of a multipart form. */
export const CreatePackTypeRequest = requestObject(fields)

export const UpdatePackTypeRequest = editObject(fields)

export const UploadResponse = z.object({ url: z.string() })

export const adminPackTypesContract = {
  list: endpoint('staff', 'GET', '/api/admin/pack-types', {
    summary: 'Lists every pack type, without image bytes.',
    response: z.array(AdminPackType),
  }),
  create: endpoint('staff', 'POST', '/api/admin/pack-types', {
    changes: ['catalogue', 'pack_types', 'listings', 'holdings'],
    summary: 'Creates a pack type.',
    bodyKind: 'json-or-multipart',
    bodyLimit: 'picture',
    body: CreatePackTypeRequest,
    file: { field: 'image', isRequired: false },
    response: AdminPackType,
  }),
  update: endpoint('staff', 'PUT', '/api/admin/pack-types/{id}', {
    changes: ['catalogue', 'pack_types', 'listings', 'holdings'],
    summary: 'Changes the given fields of a pack type.',
    bodyKind: 'json-or-multipart',
    bodyLimit: 'picture',
    body: UpdatePackTypeRequest,
    file: { field: 'image', isRequired: false },
    response: AdminPackType,
    domainErrors: ['not_found', 'changed_meanwhile'],
  }),
  remove: endpoint('staff', 'DELETE', '/api/admin/pack-types/{id}', {
    changes: ['catalogue', 'pack_types', 'listings', 'holdings'],
    summary: 'Deletes a pack type that nothing uses; it can be restored.',
    response: ActionAnswer,
    domainErrors: ['not_found', 'in_use'],
  }),
  restore: endpoint('staff', 'POST', '/api/admin/pack-types/{id}/restore', {
    changes: ['catalogue', 'pack_types', 'listings', 'holdings', 'audit'],
    summary: 'Restores a deleted pack type, with its prizes that still exist.',
    response: AdminPackType,
    domainErrors: ['not_found', 'wrong_state'],
  }),
  image: endpoint('staff', 'GET', '/api/admin/pack-types/{id}/image', {
    summary: 'Returns the image of a pack type; empty fields are null.',
    response: PackTypeImage,
  }),
  upload: endpoint('staff', 'POST', '/api/upload/image', {
    changes: [],
    summary: 'Stores an image and returns its address.',
    bodyKind: 'multipart',
    bodyLimit: 'file',
    file: { field: 'image', isRequired: true, missing: 'Please select an image' },
    response: UploadResponse,
    rate: 'upload',
  }),
}
