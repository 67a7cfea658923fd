// The listing form, in the page and in the dialog: its values, and what saving does.

import { zodResolver } from '@hookform/resolvers/zod'
import { type AdminListing, adminStoreContract } from '@redpack/contract'
import { type FormEvent, useMemo, useRef } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { formatRedCoin } from '../../lib/format.ts'
import { useIdempotentCall } from '../../lib/use-call.ts'
import { isUnchanged, toastDone, toastFailed } from '../../ui/feedback/outcome.ts'
import { heldBy, useSharedRecord } from '../../ui/form/shared-record.tsx'
import { showFieldErrors } from '../../ui/form/show-field-errors.ts'
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
  /** True once somebody else has deleted it. */
  readonly isGone?: boolean
  /** What a new one starts with. */
  readonly start: ListingDraft
  /** Called once it is saved. */
  readonly onDone?: () => void
}

export function useListingForm({ listing, isGone, start, onDone }: ListingFormOptions) {
  const create = useIdempotentCall(adminStoreContract.create)
  const update = useIdempotentCall(adminStoreContract.update)
  const stored = useMemo(() => (listing ? listingDraftOf(listing) : start), [listing, start])
  const form: ListingFormReturn = useForm<ListingDraft, unknown, ListingRequest>({
    resolver: zodResolver(ListingForm),
    defaultValues: stored,
  })
  const shared = useSharedRecord(heldBy(form), stored, isGone)
  const isPriceAsked = useRef(false)
  const submit = form.handleSubmit(async (request) => {
    const word = listing ? 'updat' : 'creat'
    try {
      if (listing) {
        const body = listingChangeOf(request, listing)
        if (isUnchanged(body)) return onDone?.()
        await update.mutateAsync({ params: { id: listing.id }, body })
      } else {
        await create.mutateAsync({ body: request })
        form.reset(start)
        isPriceAsked.current = false
      }
      toastDone(`Store listing ${word}ed successfully`)
      onDone?.()
    } catch (error) {
      showFieldErrors(form, fields, error)
      toastFailed(`Error ${word}ing store listing`, error, `Failed to ${word}e store listing`)
    }
  })
  const save = (event: FormEvent) => {
    event.preventDefault()
    const price = form.getValues('redCoinPrice')
    if (listing || isPriceAsked.current || price !== start.redCoinPrice) return void submit(event)
    isPriceAsked.current = true
    const message = `Sell it for ${formatRedCoin(price ?? 0)}? Press again to confirm.`
    form.setError('redCoinPrice', { message }, { shouldFocus: true })
  }
  return { form, save, shared, isSaving: create.isPending || update.isPending }
}
