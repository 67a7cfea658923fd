// The listing form, in the page and in the dialog: its values, and what saving does.

import { zodResolver } from '@hookform/resolvers/zod'
import { type AdminListing, adminStoreContract } from '@redpack/contract'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { useKeyedCall } from '../../lib/use-call.ts'
import { isUnchanged, toastDone, toastFailed } from '../../ui/outcome-toast.ts'
import { showFieldErrors } from '../../ui/show-field-errors.ts'
import {
  type ListingDraft,
  ListingForm,
  type ListingRequest,
  listingChangeOf,
  listingDraftOf,
} from './listing-form-values.ts'

export type ListingFormReturn = UseFormReturn<ListingDraft, unknown, ListingRequest>

const fields = [
  'packTypeId',
  'redCoinPrice',
  'quantityAvailable',
  'sortOrder',
  'customImage',
] as const

export interface ListingFormOptions {
  /** The listing that is edited; absent for a new one. */
  readonly listing?: AdminListing
  /** What a new one starts with. */
  readonly start: ListingDraft
  /** Called once it is saved. */
  readonly onDone?: () => void
}

export function useListingForm({ listing, start, onDone }: ListingFormOptions) {
  const create = useKeyedCall(adminStoreContract.create)
  const update = useKeyedCall(adminStoreContract.update)
  const form: ListingFormReturn = useForm<ListingDraft, unknown, ListingRequest>({
    resolver: zodResolver(ListingForm),
    defaultValues: listing ? listingDraftOf(listing) : start,
  })
  const save = form.handleSubmit(async (request) => {
    const word = listing ? 'updat' : 'creat'
    try {
      if (listing) {
        const body = listingChangeOf(request, listing)
        if (isUnchanged(body)) return onDone?.()
        await update.mutateAsync({ params: { id: listing.id }, body })
      } else {
        await create.mutateAsync({ body: request })
        form.reset(start)
      }
      toastDone(`Store listing ${word}ed successfully`)
      onDone?.()
    } catch (error) {
      showFieldErrors(form, fields, error)
      toastFailed(`Error ${word}ing store listing`, error, `Failed to ${word}e store listing`)
    }
  })
  return { form, save, isSaving: create.isPending || update.isPending }
}
