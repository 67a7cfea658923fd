// The pack type form in its two modes, create and edit: its values, and what saving does.

import { zodResolver } from '@hookform/resolvers/zod'
import { type AdminPackType, adminPackTypesContract } from '@redpack/contract'
import { type FormEvent, useMemo } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { ApiError } from '../../lib/api-error.ts'
import { useCall } from '../../lib/use-call.ts'
import { isUnchanged, toastDone, toastFailed } from '../../ui/feedback/outcome.ts'
import { fillEmptied } from '../../ui/form/form-fields.tsx'
import { heldBy, useSharedRecord } from '../../ui/form/shared-record.tsx'
import { showFieldErrors } from '../../ui/form/show-field-errors.ts'
import {
  countedInPackType,
  type PackTypeDraft,
  PackTypeForm,
  type PackTypeRequest,
  packTypeChangeOf,
  packTypeDraftOf,
} from './pack-type-form-values.ts'
import { noteSaved } from './pack-type-queries.ts'

export type PackTypeFormReturn = UseFormReturn<PackTypeDraft, unknown, PackTypeRequest>

const fields = ['name', 'description', 'color', 'icon', 'imageUrl'] as const

/** What is said about a failed change that the server gave no sentence for. */
function updateFallback(error: unknown): string {
  const status = error instanceof ApiError ? `: ${error.status} ${error.statusText}` : ''
  return `Failed to update pack type${status}`
}

/** The server's sentence; an answer without any has only its status, which the fallback names. */
function toastFailure(packType: AdminPackType | undefined, error: unknown): void {
  const isSilent = error instanceof ApiError && error.serverMessage === ''
  const fallback = packType ? updateFallback(error) : 'Failed to create pack type'
  toastFailed(
    packType ? 'Error updating pack type' : 'Error creating pack type',
    isSilent ? undefined : error,
    fallback,
  )
}

/** Edits `packType`, or creates one when it is absent; `onDone` is called once it is saved. */
export function usePackTypeForm(
  packType: AdminPackType | undefined,
  isGone: boolean,
  onDone: () => void,
) {
  const create = useCall(adminPackTypesContract.create)
  const update = useCall(adminPackTypesContract.update)
  const stored = useMemo(() => packTypeDraftOf(packType), [packType])
  const form: PackTypeFormReturn = useForm<PackTypeDraft, unknown, PackTypeRequest>({
    resolver: zodResolver(PackTypeForm),
    defaultValues: stored,
  })
  const shared = useSharedRecord(heldBy(form), stored, isGone)
  const submit = form.handleSubmit(async (request) => {
    try {
      if (packType) {
        const body = packTypeChangeOf(request, packType)
        if (isUnchanged(body)) return onDone()
        const { id } = await update.mutateAsync({ params: { id: packType.id }, body })
        noteSaved(id)
      } else await create.mutateAsync({ body: request })
      toastDone(`Pack type ${packType ? 'updated' : 'created'} successfully`)
      onDone()
    } catch (error) {
      showFieldErrors(form, fields, error)
      toastFailure(packType, error)
    }
  })
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (!fillEmptied(form, countedInPackType)) void submit(event)
  }
  return { form, save, shared, isSaving: create.isPending || update.isPending }
}
