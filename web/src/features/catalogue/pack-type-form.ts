// The pack type form: what it starts with, what is sent for what was typed, and what saving does.

import {
  type AdminPackType,
  adminPackTypesContract,
  CreatePackTypeRequest,
  packIconDefault,
} from '@redpack/contract'
import { useMemo } from 'react'
import type * as z from 'zod/mini'
import { ApiError } from '../../lib/api-error.ts'
import { useCall } from '../../lib/use-call.ts'
import { toastFailed } from '../../ui/feedback/outcome.ts'
import { fillEmptied } from '../../ui/form/form-fields.tsx'
import { draftRules } from '../../ui/form/kept-draft.ts'
import { editOf, useRecordForm } from '../../ui/form/record-form.ts'
import { noteSaved } from './pack-type-queries.ts'

/** What a new pack type is shown in. */
const formColorDefault = '#0080FF'

/** The icons of the select; any other goes into the field beside it. */
export const packIcons = ['package', 'gift', 'box', 'dice'] as const

/** What an emptied color and an emptied icon count as. */
export const countedInPackType = { color: formColorDefault, icon: packIconDefault }

/** The form as it is held while it is being filled in. */
export interface PackTypeDraft extends Omit<AdminPackType, 'id' | 'hasImage'> {
  /** Empty for no picture, or while the picture is a stored one. */
  readonly imageUrl: string
  /** True once the stored picture was taken away. */
  readonly isImageRemoved: boolean
}

const newPackType = { name: '', description: '', imageUrl: '', ...countedInPackType }

export function packTypeDraftOf(packType: AdminPackType | undefined): PackTypeDraft {
  if (packType === undefined) return { ...newPackType, isImageRemoved: false }
  const { id, hasImage, ...typed } = packType
  return { ...typed, imageUrl: typed.imageUrl ?? '', isImageRemoved: false }
}

export const PackTypeForm = draftRules(
  ({ isImageRemoved, ...draft }: PackTypeDraft): z.input<typeof CreatePackTypeRequest> => ({
    ...draft,
    ...(isImageRemoved && draft.imageUrl.trim() === '' && { imageData: null }),
  }),
  CreatePackTypeRequest,
)
export type PackTypeRequest = z.infer<typeof PackTypeForm>

/** What an edit sends. An absent key leaves the picture alone; an empty address removes it. */
function packTypeChangeOf(request: PackTypeRequest, packType: AdminPackType) {
  const isRemoved = request.imageData === null
  return {
    ...editOf(request, packType, ['imageData']),
    ...(isRemoved && { imageUrl: request.imageUrl }),
  }
}

export type PackTypeFormReturn = ReturnType<typeof usePackTypeForm>['form']

/** The server's sentence; an answer without any has only its status, which the fallback names. */
function toastFailure(packType: AdminPackType | undefined, error: unknown): void {
  const word = packType ? 'updat' : 'creat'
  const isSilent = error instanceof ApiError && error.serverMessage === ''
  const status =
    packType && error instanceof ApiError ? `: ${error.status} ${error.statusText}` : ''
  toastFailed(
    `Error ${word}ing pack type`,
    isSilent ? undefined : error,
    `Failed to ${word}e pack type${status}`,
  )
}

/** Edits `packType`, or creates one when it is absent; `onDone` is called once it is saved. */
export function usePackTypeForm(
  packType: AdminPackType | undefined,
  isGone: boolean,
  onDone: () => void,
) {
  const { mutateAsync: create } = useCall(adminPackTypesContract.create)
  const { mutateAsync: update } = useCall(adminPackTypesContract.update)
  const stored = useMemo(() => packTypeDraftOf(packType), [packType])
  return useRecordForm<PackTypeDraft, PackTypeRequest>({
    ...{ thing: 'pack type', stored, rules: PackTypeForm, isGone, onDone },
    id: packType?.id ?? 'new',
    create: (body) => create({ body }),
    edit: packType && {
      changeOf: (request) => packTypeChangeOf(request, packType),
      send: async (body) => noteSaved((await update({ params: { id: packType.id }, body })).id),
    },
    onError: (error) => toastFailure(packType, error),
    isHeldBack: (form) => fillEmptied(form, () => countedInPackType),
  })
}
