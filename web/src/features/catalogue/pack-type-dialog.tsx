// The dialog in which a pack type is made or changed.

import type { AdminPackType } from '@redpack/contract'
import { TextAreaField, TextField } from '../../ui/form/text-field.tsx'
import { FormActions, FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { PackTypeImageField } from './pack-type-image-field.tsx'
import { PackTypeLook } from './pack-type-look.tsx'
import { useIsUploading } from './pack-type-queries.ts'
import { usePackTypeForm } from './use-pack-type-form.ts'

export interface PackTypeDialogProps {
  /** The pack type that is edited; absent for a new one. */
  readonly packType: AdminPackType | undefined
  /** True once somebody else has deleted it. */
  readonly isGone: boolean
  readonly onClose: () => void
}

/** Open as long as it is mounted; give it the pack type's id as key. */
export function PackTypeDialog({ packType, isGone, onClose }: PackTypeDialogProps) {
  const { form, save, shared, isSaving } = usePackTypeForm(packType, isGone, onClose)
  const { errors, isDirty } = form.formState
  const isUploading = useIsUploading()
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
          pendingLabel={isUploading ? 'Uploading picture...' : 'Saving...'}
          isPending={isSaving || isUploading}
          shared={shared}
        />
      </form>
    </FormDialog>
  )
}
