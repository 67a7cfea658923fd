// Prizes, pack types and listings that tests speak of, and what was sent about them.

import {
  type AdminListing,
  type AdminPackType,
  type AdminPrize,
  type EndpointShape,
  type PackEconomy,
  packsContract,
  storeContract,
} from '@redpack/contract'
import { HttpResponse } from 'msw'
import { endpointQuery } from '../src/lib/endpoint-query.ts'
import { replies } from './mock-server.ts'

export function samplePackType(change: Partial<AdminPackType> = {}): AdminPackType {
  return {
    id: 1,
    name: 'Crown Pack',
    description: 'Rare things for the brave.',
    color: '#A855F7',
    icon: 'crown',
    imageUrl: null,
    hasImage: false,
    ...change,
  }
}

export function samplePrize(change: Partial<AdminPrize> = {}): AdminPrize {
  return {
    id: 11,
    name: 'Hoodie',
    description: 'Warm and red.',
    claimInstructions: 'Write to us.',
    winFrequency: 1,
    totalPacks: 3,
    redCoinAmount: 0,
    packTypeId: null,
    packQuantity: 0,
    isAlsoSent: false,
    imageData: null,
    imageType: null,
    inventoryQuantity: 7,
    deadlineDays: null,
    countries: [],
    estimatedValue: null,
    questions: [],
    handlerId: null,
    deliversCodes: false,
    isActive: true,
    createdAt: '2026-11-01T10:00:00.000Z',
    packTypes: [{ id: 1, name: 'Crown Pack' }],
    packTypeIds: [1],
    ...change,
  }
}

export function sampleListing(change: Partial<AdminListing> = {}): AdminListing {
  return {
    id: 21,
    packTypeId: 1,
    redCoinPrice: 2500,
    customImage: null,
    quantityAvailable: 40,
    isUnlimited: false,
    isActive: true,
    sortOrder: 3,
    createdAt: '2026-11-01T10:00:00.000Z',
    updatedAt: '2026-11-01T10:00:00.000Z',
    packType: samplePackType(),
    ...change,
  }
}

/** Crown Pack with one prize that is won in every fourth pack. */
export function samplePackEconomy(change: Partial<PackEconomy> = {}): PackEconomy {
  return {
    packTypeId: 1,
    packTypeName: 'Crown Pack',
    entries: [
      {
        prizeId: 11,
        name: 'Hoodie',
        winFrequency: 1,
        totalPacks: 4,
        share: 0.25,
        chance: 0.25,
        redCoinAmount: 0,
        packReward: null,
        stock: 0,
        isDraft: false,
      },
    ],
    shareSum: 0.25,
    scaled: false,
    noPrizeChance: 0.75,
    consolationRedCoin: 5,
    expectedRedCoin: 12.5,
    expectedRedCoinWithPacks: 20,
    storePrice: 250,
    warnings: [],
    ...change,
  }
}

export interface Sent {
  readonly path: string
  readonly body: unknown
  readonly key: string | null
}

/** Answers an endpoint and keeps what was sent to it, oldest first. */
export function records(endpoint: EndpointShape, answer: unknown, sent: Sent[]) {
  return replies(endpoint, async (request) => {
    const text = await request.text()
    sent.push({
      path: new URL(request.url).pathname,
      body: text === '' ? null : JSON.parse(text),
      key: request.headers.get('idempotency-key'),
    })
    return HttpResponse.json(answer as never)
  })
}

/** What players have been shown of packs and store, under every address that it can be had from. */
export const shopQueries = [
  { queryKey: ['/api/pack-types'], meta: { shows: ['pack_types'] } },
  endpointQuery(packsContract.types, { shows: ['pack_types'] }),
  endpointQuery(storeContract.listings, { shows: ['listings'] }),
] as const
