// The dialog in which a pack type is made or changed.

import { zodResolver } from '@hookform/resolvers/zod'
import type { AdminPackType } from '@redpack/contract'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { ApiError } from '../../lib/api-error.ts'
import { FormActions, FormDialog } from '../../ui/form-dialog.tsx'
import { toastDone, toastFailed } from '../../ui/outcome-toast.ts'
import { TextAreaField, TextField } from '../../ui/text-field.tsx'
import {
  type PackTypeDraft,
  PackTypeForm,
  type PackTypeRequest,
  packTypeChangeOf,
  packTypeDraftOf,
} from './pack-type-form-values.ts'
import { PackTypeImageField } from './pack-type-image-field.tsx'
import { PackTypeLook } from './pack-type-look.tsx'
import { useCreatePackType, useUpdatePackType } from './queries.ts'

export type PackTypeFormReturn = UseFormReturn<PackTypeDraft, unknown, PackTypeRequest>

export interface PackTypeDialogProps {
  /** The pack type that is edited; absent for a new one. */
  readonly packType: AdminPackType | undefined
  readonly onClose: () => void
}

const fields = ['name', 'description', 'color', 'icon', 'imageUrl'] as const

/** What is said about a failed change that the server gave no sentence for (001: 196). */
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

function usePackTypeForm({ packType, onClose }: PackTypeDialogProps) {
  const create = useCreatePackType()
  const update = useUpdatePackType()
  const form: PackTypeFormReturn = useForm<PackTypeDraft, unknown, PackTypeRequest>({
    resolver: zodResolver(PackTypeForm),
    defaultValues: packTypeDraftOf(packType),
  })
  const save = form.handleSubmit(async (request) => {
    try {
      if (packType) {
        const change = packTypeChangeOf(request, packType)
        await update.mutateAsync({ id: packType.id, change })
      } else await create.mutateAsync(request)
      toastDone(`Pack type ${packType ? 'updated' : 'created'} successfully`)
      onClose()
    } catch (error) {
      const refused = error instanceof ApiError ? error.fields : {}
      for (const field of fields) {
        if (refused[field]) form.setError(field, { message: refused[field] })
      }
      toastFailure(packType, error)
    }
  })
  return { form, save, isSaving: create.isPending || update.isPending }
}

/** Open as long as it is mounted; give it the pack type's id as key. */
export function PackTypeDialog(props: PackTypeDialogProps) {
  const { packType, onClose } = props
  const { form, save, isSaving } = usePackTypeForm(props)
  const { errors, isDirty } = form.formState
  return (
    <FormDialog
      isOpen
      isWide
      onClose={onClose}
      title={packType ? 'Edit Pack Type' : 'Add Pack Type'}
      isUnsaved={isDirty}
    >
      <form noValidate onSubmit={save}>
        <div className="grid grid-cols-1 gap-x-8 gap-y-5 lg:grid-cols-2">
          <div className="grid content-start gap-5">
            <TextField
              label="Pack Type Name"
              required
              autoComplete="off"
              error={errors.name?.message}
              {...form.register('name')}
            />
            <TextAreaField
              label="Description"
              rows={3}
              error={errors.description?.message}
              {...form.register('description')}
            />
            <PackTypeLook form={form} />
          </div>
          <PackTypeImageField form={form} packType={packType} />
        </div>
        <FormActions
          submitLabel={packType ? 'Save changes' : 'Create pack type'}
          pendingLabel="Saving..."
          isPending={isSaving}
          onCancel={onClose}
        />
      </form>
    </FormDialog>
  )
}
