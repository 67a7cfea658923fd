// The listing form, in the page and in the dialog: its values, and what saving does.

import { zodResolver } from '@hookform/resolvers/zod'
import type { AdminListing } from '@redpack/contract'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { ApiError } from '../../lib/api-error.ts'
import { isUnchanged, toastDone, toastFailed } from '../../ui/outcome-toast.ts'
import {
  type ListingDraft,
  ListingForm,
  type ListingRequest,
  listingChangeOf,
  listingDraftOf,
} from './listing-form-values.ts'
import { useCreateListing, useUpdateListing } from './listing-queries.ts'

export type ListingFormReturn = UseFormReturn<ListingDraft, unknown, ListingRequest>

const fields = [
  'packTypeId',
  'redCoinPrice',
  'quantityAvailable',
  'sortOrder',
  'customImage',
] as const

function showFieldErrors(form: ListingFormReturn, error: unknown): void {
  if (!(error instanceof ApiError)) return
  for (const field of fields) {
    if (error.fields[field]) form.setError(field, { message: error.fields[field] })
  }
}

export interface ListingFormOptions {
  /** The listing that is edited; absent for a new one. */
  readonly listing?: AdminListing
  /** What a new one starts with. */
  readonly start: ListingDraft
  /** Called once it is saved. */
  readonly onDone?: () => void
}

export function useListingForm({ listing, start, onDone }: ListingFormOptions) {
  const create = useCreateListing()
  const update = useUpdateListing()
  const form: ListingFormReturn = useForm<ListingDraft, unknown, ListingRequest>({
    resolver: zodResolver(ListingForm),
    defaultValues: listing ? listingDraftOf(listing) : start,
  })
  const save = form.handleSubmit(async (request) => {
    const word = listing ? 'updat' : 'creat'
    try {
      if (listing) {
        const change = listingChangeOf(request, listing)
        if (isUnchanged(change)) return onDone?.()
        await update.mutateAsync({ id: listing.id, change })
      } else {
        await create.mutateAsync(request)
        form.reset(start)
      }
      toastDone(`Store listing ${word}ed successfully`)
      onDone?.()
    } catch (error) {
      showFieldErrors(form, error)
      toastFailed(`Error ${word}ing store listing`, error, `Failed to ${word}e store listing`)
    }
  })
  return { form, save, isSaving: create.isPending || update.isPending }
}
