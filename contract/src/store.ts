// What the store offers to players, and buying it (W-014, W-015).

import * as z from 'zod/mini'
import { ActionAnswer } from './answers.ts'
import { endpoint } from './endpoint.ts'
import { PackType } from './packs.ts'
import { countNumber, idNumber, redCoinNumber, requestObject } from './values.ts'

export const Listing = z.object({
  id: z.int(),
  packTypeId: z.int(),
  redCoinPrice: z.int(),
  customImage: z.nullable(z.string()),
  quantityAvailable: z.int(),
  isUnlimited: z.boolean(),
  sortOrder: z.int(),
  packType: z.omit(PackType, { oddsHash: true }),
})
export type Listing = z.infer<typeof Listing>

export const PurchaseRequest = requestObject({
  storePackListingId: idNumber('Please select a listing'),
  quantity: countNumber('Please enter a quantity greater than 0.', 1),
  /** The unit price that the buyer saw: if another is in force now, nothing is bought. */
  expectedPrice: z.optional(redCoinNumber('Invalid expected price', 1)),
})
export type PurchaseRequest = z.infer<typeof PurchaseRequest>

export const PurchaseResponse = z.extend(ActionAnswer, { updatedBalance: z.int() })
export type PurchaseResponse = z.infer<typeof PurchaseResponse>

export const storeContract = {
  listings: endpoint('viewer', 'GET', '/api/store/listings', {
    summary: 'Lists the active listings in store order.',
    response: z.array(Listing),
  }),
  purchase: endpoint('viewer', 'POST', '/api/store/purchase', {
    changes: ['user', 'holdings', 'listings', 'leaderboard'],
    summary: 'Buys packs of a listing with RedCoin.',
    body: PurchaseRequest,
    response: PurchaseResponse,
    domainErrors: ['not_found', 'insufficient_redcoin', 'not_enough_stock', 'price_changed'],
    idempotent: true,
    stoppedBySuspension: true,
    rate: 'spend',
  }),
}
