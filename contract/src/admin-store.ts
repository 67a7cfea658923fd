// Store listings as staff manage them (W-040 to W-043).

import * as z from 'zod/mini'
import { ActionAnswer, Timestamp } from './answers.ts'
import { endpoint } from './endpoint.ts'
import { listingsAtOnceMax, urlMax } from './limits.ts'
import { Holding } from './packs.ts'
import {
  clearablePictureUrl,
  countNumber,
  editObject,
  flag,
  idNumber,
  redCoinNumber,
  requestObject,
  someOf,
} from './values.ts'

export const AdminListing = z.object({
  id: z.int(),
  packTypeId: z.int(),
  redCoinPrice: z.int(),
  customImage: z.nullable(z.string()),
  quantityAvailable: z.int(),
  isUnlimited: z.boolean(),
  isActive: z.boolean(),
  sortOrder: z.int(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  packType: z.extend(Holding.shape.packType, { hasImage: z.boolean() }),
})
export type AdminListing = z.infer<typeof AdminListing>

const quantityRequired = 'Quantity is required when not unlimited'

const sortOrder = countNumber('Sort order must be 0 or higher', 0, 'Sort order is too large')

const fields = {
  packTypeId: idNumber('Pack type is required'),
  redCoinPrice: redCoinNumber('Price must be at least 1', 1, 'Price is too large'),
  quantityAvailable: z.optional(z.nullable(countNumber('Quantity must be 0 or more', 0))),
  isUnlimited: z.optional(flag('Unlimited must be true or false')),
  isActive: z._default(flag('Active must be true or false'), true),
  sortOrder: z._default(sortOrder, 0),
  customImage: z._default(clearablePictureUrl({ label: 'Custom image', max: urlMax }), null),
}

/** An empty quantity means unlimited unless the flag says otherwise. */
export const CreateListingRequest = z.pipe(
  requestObject(fields).check(
    z.refine(
      ({ isUnlimited, quantityAvailable }) =>
        isUnlimited === true ||
        typeof quantityAvailable === 'number' ||
        (isUnlimited === undefined && quantityAvailable === null),
      { error: quantityRequired, path: ['quantityAvailable'] },
    ),
  ),
  z.transform((listing) => ({
    ...listing,
    isUnlimited: listing.isUnlimited ?? listing.quantityAvailable === null,
    quantityAvailable: listing.quantityAvailable ?? 0,
  })),
)
export type CreateListingRequest = z.infer<typeof CreateListingRequest>

/** Any subset. A null quantity makes the listing unlimited and leaves the stored number alone. */
export const UpdateListingRequest = z.pipe(
  editObject(fields).check(
    z.refine(
      ({ isUnlimited, quantityAvailable }) =>
        !(isUnlimited === false && quantityAvailable === null),
      { error: quantityRequired, path: ['quantityAvailable'] },
    ),
  ),
  z.transform(({ quantityAvailable, ...rest }) =>
    quantityAvailable === null
      ? { ...rest, isUnlimited: true, quantityAvailable: undefined }
      : { ...rest, quantityAvailable },
  ),
)

const whichOrders = 'Say which listings to move'
const ordersLong = `At most ${listingsAtOnceMax} listings at once`
const Place = requestObject({ id: idNumber('Invalid id'), sortOrder })

/** New sort orders of the listings that move; all are set, or none. */
export const SortListingsRequest = requestObject({
  orders: someOf(Place, whichOrders, listingsAtOnceMax, ordersLong).check(
    z.refine((orders) => new Set(orders.map(({ id }) => id)).size === orders.length, {
      error: 'Each listing can be there once',
    }),
  ),
})
export type SortListingsRequest = z.infer<typeof SortListingsRequest>

export const adminStoreContract = {
  list: endpoint('staff', 'GET', '/api/admin/store/listings', {
    summary: 'Lists every listing, inactive ones included.',
    response: z.array(AdminListing),
  }),
  create: endpoint('staff', 'POST', '/api/admin/store/listings', {
    changes: ['catalogue', 'listings', 'pack_types'],
    summary: 'Creates a listing.',
    body: CreateListingRequest,
    response: AdminListing,
    domainErrors: ['not_found'],
    idempotent: true,
  }),
  update: endpoint('staff', 'PUT', '/api/admin/store/listings/{id}', {
    changes: ['catalogue', 'listings', 'pack_types'],
    summary: 'Changes the given fields of a listing.',
    bodyLimit: 'texts',
    body: UpdateListingRequest,
    response: AdminListing,
    domainErrors: ['not_found', 'changed_meanwhile', 'wrong_state'],
    idempotent: true,
  }),
  sort: endpoint('staff', 'PUT', '/api/admin/store/order', {
    changes: ['catalogue', 'listings'],
    summary: 'Sets the sort orders of several listings at once.',
    bodyLimit: 'texts',
    body: SortListingsRequest,
    response: ActionAnswer,
    domainErrors: ['not_found'],
  }),
  remove: endpoint('staff', 'DELETE', '/api/admin/store/listings/{id}', {
    changes: ['catalogue', 'listings', 'pack_types'],
    summary: 'Deletes a listing; it can be restored.',
    response: ActionAnswer,
  }),
  restore: endpoint('staff', 'POST', '/api/admin/store/listings/{id}/restore', {
    changes: ['catalogue', 'listings', 'pack_types', 'audit'],
    summary: 'Restores a deleted listing as it was.',
    response: AdminListing,
    domainErrors: ['not_found', 'wrong_state'],
  }),
}
