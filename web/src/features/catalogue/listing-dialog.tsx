// The dialog in which a listing is made or changed.

import type { AdminListing } from '@redpack/contract'
import { FormActions, FormDialog } from '../../ui/form-dialog.tsx'
import { ListingFields } from './listing-fields.tsx'
import { dialogListingDraft } from './listing-form-values.ts'
import { useListingForm } from './use-listing-form.ts'

export interface ListingDialogProps {
  /** The listing that is edited; absent for a new one. */
  readonly listing: AdminListing | undefined
  readonly onClose: () => void
}

/** Open as long as it is mounted; give it the listing's id as key. */
export function ListingDialog({ listing, onClose }: ListingDialogProps) {
  const { form, save, isSaving } = useListingForm({
    ...(listing && { listing }),
    start: dialogListingDraft,
    onDone: onClose,
  })
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={listing ? 'Edit Store Listing' : 'Add Store Listing'}
      isUnsaved={form.formState.isDirty}
    >
      <form noValidate onSubmit={save}>
        <ListingFields form={form} className="grid grid-cols-1 gap-5" />
        <FormActions
          submitLabel={listing ? 'Save changes' : 'Create listing'}
          pendingLabel="Saving..."
          isPending={isSaving}
          onCancel={onClose}
        />
      </form>
    </FormDialog>
  )
}
