// The listing form, in the page and in the dialog: what it starts with, what is sent for what was
// typed, and what saving does.

import { type AdminListing, adminStoreContract, CreateListingRequest } from '@redpack/contract'
import { useMemo } from 'react'
import type * as z from 'zod/mini'
import { useCall } from '../../lib/use-call.ts'
import { draftRules } from '../../ui/form/kept-draft.ts'
import { editOf, parseWhole, resetOnceSent, useRecordForm } from '../../ui/form/record-form.ts'

/** The form as it is held while it is being filled in. Null is an emptied number. */
export interface ListingDraft {
  /** Empty while nothing is chosen. */
  readonly packTypeId: string
  readonly redCoinPrice: number | null
  readonly quantityAvailable: number | null
  readonly sortOrder: number | null
  readonly isUnlimited: boolean
  readonly isActive: boolean
  readonly customImage: string
}

export const inlineListingDraft: ListingDraft = {
  packTypeId: '',
  redCoinPrice: 1,
  quantityAvailable: 100,
  sortOrder: 0,
  isUnlimited: false,
  isActive: true,
  customImage: '',
}

export const dialogListingDraft: ListingDraft = { ...inlineListingDraft, redCoinPrice: 1000 }

function listingDraftOf(listing: AdminListing): ListingDraft {
  const { id, createdAt, updatedAt, packType, packTypeId, customImage, ...typed } = listing
  return { ...typed, packTypeId: String(packTypeId), customImage: customImage ?? '' }
}

/**
 * The request that a draft stands for, before its rules are checked: an emptied price counts as 0
 * and is then refused, as an emptied order is; an emptied quantity means unlimited.
 */
function listingRequestOf(draft: ListingDraft): z.input<typeof CreateListingRequest> {
  return {
    ...draft,
    packTypeId: Number(draft.packTypeId),
    redCoinPrice: parseWhole(draft.redCoinPrice, 0),
    quantityAvailable: parseWhole(draft.quantityAvailable, 0),
    sortOrder: parseWhole(draft.sortOrder, Number.NaN),
    isUnlimited: draft.isUnlimited || draft.quantityAvailable === null,
  }
}

const ListingForm = draftRules(listingRequestOf, CreateListingRequest)
type ListingRequest = z.infer<typeof ListingForm>

export type ListingFormReturn = ReturnType<typeof useListingForm>['form']

export interface ListingFormOptions {
  /** The listing that is edited; absent for a new one. */
  readonly listing?: AdminListing | undefined
  /** True once somebody else has deleted it. */
  readonly isGone?: boolean
  readonly start: ListingDraft
  readonly onDone?: () => void
}

export function useListingForm({ listing, isGone, start, onDone }: ListingFormOptions) {
  const { mutateAsync: create } = useCall(adminStoreContract.create)
  const { mutateAsync: update } = useCall(adminStoreContract.update)
  const stored = useMemo(() => (listing ? listingDraftOf(listing) : start), [listing, start])
  const { form, ...rest } = useRecordForm<ListingDraft, ListingRequest>({
    ...{ thing: 'store listing', stored, rules: ListingForm, isGone },
    id: listing?.id ?? (onDone ? 'new' : 'in page'),
    create: async (body) => {
      const reset = resetOnceSent(form)
      await create({ body })
      reset(start)
    },
    edit: listing && {
      changeOf: (request) => editOf(request, listing),
      send: (body) => update({ params: { id: listing.id }, body }),
    },
    onDone: () => onDone?.(),
  })
  return { form, ...rest }
}
