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

/** What an emptied color and an emptied icon count as. */
export const countedInPackType = { color: formColorDefault, icon: packIconDefault }

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
        ...(isImageRemoved && draft.imageUrl.trim() === '' && { imageData: null }),
      }),
    ),
  ),
  CreatePackTypeRequest,
)
export type PackTypeRequest = z.infer<typeof PackTypeForm>

/**
 * What an edit sends: only what is different from the pack type as the form last showed it, and
 * what that was. An absent key leaves the picture alone; an empty address removes it.
 */
export function packTypeChangeOf(
  request: PackTypeRequest,
  packType: AdminPackType,
): UpdatePackTypeRequest {
  const stored: Readonly<Record<string, unknown>> = { ...packType }
  const changed = Object.entries(request).filter(([key, value]) => value !== stored[key])
  const isRemoved = request.imageData === null
  const expected = changed
    .filter(([key]) => key !== 'imageData')
    .map(([key]) => [key, stored[key]] as const)
  return {
    ...Object.fromEntries(changed),
    ...(isRemoved && { imageUrl: request.imageUrl }),
    ...(expected.length > 0 && { expected: Object.fromEntries(expected) }),
  }
}
