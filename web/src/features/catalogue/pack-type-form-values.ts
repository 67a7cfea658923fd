// The pack type form: what it starts with, and what is sent for what was typed.

import {
  type AdminPackType,
  CreatePackTypeRequest,
  packIconDefault,
  type UpdatePackTypeRequest,
} from '@redpack/contract'
import * as z from 'zod/mini'

/** What a new pack type is shown in. */
export const formColorDefault = '#0080FF'

/** The icons of the select; any other goes into the field beside it. */
export const packIcons = ['package', 'gift', 'box', 'dice'] as const

/** The form as it is held while it is being filled in. */
export interface PackTypeDraft {
  readonly name: string
  readonly description: string
  readonly color: string
  readonly icon: string
  /** Empty for no picture, or while the picture is a stored one. */
  readonly imageUrl: string
  /** True once the stored picture was taken away. */
  readonly isImageRemoved: boolean
}

export function packTypeDraftOf(packType: AdminPackType | undefined): PackTypeDraft {
  return {
    name: packType?.name ?? '',
    description: packType?.description ?? '',
    color: packType?.color ?? formColorDefault,
    icon: packType?.icon ?? packIconDefault,
    imageUrl: packType?.imageUrl ?? '',
    isImageRemoved: false,
  }
}

/** Turns a draft into the request, or says what is wrong with which field. */
export const PackTypeForm = z.pipe(
  z.pipe(
    z.custom<PackTypeDraft>(() => true),
    z.transform(
      ({ isImageRemoved, ...draft }: PackTypeDraft): z.input<typeof CreatePackTypeRequest> => ({
        ...draft,
        color: draft.color.trim() === '' ? formColorDefault : draft.color,
        ...(isImageRemoved && draft.imageUrl.trim() === '' && { imageData: null }),
      }),
    ),
  ),
  CreatePackTypeRequest,
)
export type PackTypeRequest = z.infer<typeof PackTypeForm>

/**
 * What an edit sends: words and colour as they are, the picture only when it is another one, since
 * an absent key leaves it alone and an empty address removes it.
 */
export function packTypeChangeOf(
  request: PackTypeRequest,
  packType: AdminPackType,
): UpdatePackTypeRequest {
  const { imageUrl, ...rest } = request
  const isSameAddress = imageUrl === packType.imageUrl
  if (isSameAddress && rest.imageData === undefined) return rest
  return { ...rest, imageUrl }
}

/** What of an edit is not stored already. */
export function newInChange(
  change: UpdatePackTypeRequest,
  packType: AdminPackType,
): Partial<UpdatePackTypeRequest> {
  const stored: Readonly<Record<string, unknown>> = { ...packType }
  return Object.fromEntries(Object.entries(change).filter(([key, value]) => value !== stored[key]))
}
