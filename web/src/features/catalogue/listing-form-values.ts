// The listing form: what it starts with, and what is sent for what was typed.

import {
  type AdminListing,
  CreateListingRequest,
  type UpdateListingRequest,
} from '@redpack/contract'
import * as z from 'zod/mini'

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

/** What the form in the page starts with. */
export const inlineListingDraft: ListingDraft = {
  packTypeId: '',
  redCoinPrice: 1,
  quantityAvailable: 100,
  sortOrder: 0,
  isUnlimited: false,
  isActive: true,
  customImage: '',
}

/** What the dialog starts with. */
export const dialogListingDraft: ListingDraft = { ...inlineListingDraft, redCoinPrice: 1000 }

export function listingDraftOf(listing: AdminListing): ListingDraft {
  return {
    packTypeId: String(listing.packTypeId),
    redCoinPrice: listing.redCoinPrice,
    quantityAvailable: listing.quantityAvailable,
    sortOrder: listing.sortOrder,
    isUnlimited: listing.isUnlimited,
    isActive: listing.isActive,
    customImage: listing.customImage ?? '',
  }
}

function whole(typed: number | null, emptied = 0): number {
  return typed === null || Number.isNaN(typed) ? emptied : Math.trunc(typed)
}

/**
 * The request that a draft stands for, before its rules are checked: an emptied price counts as 0
 * and is then refused, as an emptied order is; an emptied quantity means unlimited.
 */
export function listingRequestOf(draft: ListingDraft): z.input<typeof CreateListingRequest> {
  return {
    ...draft,
    packTypeId: Number(draft.packTypeId),
    redCoinPrice: whole(draft.redCoinPrice),
    quantityAvailable: whole(draft.quantityAvailable),
    sortOrder: whole(draft.sortOrder, Number.NaN),
    isUnlimited: draft.isUnlimited || draft.quantityAvailable === null,
  }
}

/** Turns a draft into the request, or says what is wrong with which field. */
export const ListingForm = z.pipe(
  z.pipe(
    z.custom<ListingDraft>(() => true),
    z.transform(listingRequestOf),
  ),
  CreateListingRequest,
)
export type ListingRequest = z.infer<typeof ListingForm>

/**
 * What an edit sends: only what is different from the listing as the form last showed it, and what
 * that was, so that packs sold meanwhile are not put back by a new price.
 */
export function listingChangeOf(
  request: ListingRequest,
  listing: AdminListing,
): UpdateListingRequest {
  const keys = (Object.keys(request) as (keyof ListingRequest)[]).filter(
    (key) => request[key] !== listing[key],
  )
  const pick = (from: Partial<ListingRequest>) =>
    Object.fromEntries(keys.map((key) => [key, from[key]]))
  const change = { ...pick(request), ...(keys.length > 0 && { expected: pick(listing) }) }
  return change as unknown as UpdateListingRequest
}
