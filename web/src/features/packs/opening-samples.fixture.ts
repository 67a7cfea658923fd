// Packs that are held, and what was in them, for tests.

import type {
  Holding,
  Listing,
  OddsEntry,
  OpeningResult,
  OpenPacksResponse,
  PackType,
} from '@redpack/contract'

/** A pack type as its owner sees it, different where the test says so. */
export function sampleType(change: Partial<PackType> = {}): PackType {
  const picture = { imageUrl: null, imageData: null, imageType: null }
  return {
    ...{ id: 1, name: 'Crown Pack', description: '', icon: 'crown', color: '#f59e0b' },
    ...{ ...picture, oddsHash: 'd0'.repeat(32), ...change },
  }
}

/** So many packs of a type. */
export function sampleHolding(quantity: number, type = sampleType()): Holding {
  const { imageData: _, imageType: __, oddsHash, ...packType } = type
  return { packTypeId: type.id, quantity, oddsHash, packType }
}

/** A prize that is won in every hundredth pack, different where the test says so. */
export function sampleOddsEntry(change: Partial<OddsEntry> = {}): OddsEntry {
  return {
    ...{ prizeId: 1, name: 'Hoodie', winFrequency: 1, totalPacks: 100, chance: 0.01 },
    ...{ soldOut: false, limited: false, redCoinAmount: 0 },
    ...{ rewardPackTypeId: null, rewardPackQuantity: 0, ...change },
  }
}

/** A pack as the store sells it. */
export function sampleOffer(change: Partial<Listing> = {}, type = sampleType()): Listing {
  const { oddsHash: _, ...packType } = type
  return {
    ...{ id: 5, packTypeId: 1, redCoinPrice: 100, customImage: null, quantityAvailable: 7 },
    ...{ isUnlimited: false, sortOrder: 0, packType, ...change },
  }
}

/** What takes any answer of a draw for proven, where proofs are the matter of other tests. */
export const takenForProven = {
  drawTerms: async (_user: number, _key: string, order: { oddsHash?: string }) => ({
    oddsHash: order.oddsHash,
    entropy: 'e0'.repeat(32),
    commitment: 'c0'.repeat(32),
  }),
  proveAnswer: async () => true,
}

interface Win {
  readonly id?: number
  readonly name?: string
  readonly claimId?: string | null
  readonly redCoin?: number
  readonly description?: string
  readonly claimInstructions?: string
  readonly imageData?: string | null
}

export function winning(win: Win = {}): OpeningResult {
  const { id = 7, claimId = 'PR-7KQ2MX4A', redCoin = 0 } = win
  return {
    won: true,
    prizeId: id,
    claimId,
    redCoinEarned: redCoin,
    prize: {
      id,
      name: win.name ?? 'Hoodie',
      description: win.description ?? 'A warm hoodie with the community mark.',
      imageData: win.imageData ?? null,
      imageType: win.imageData ? 'image/png' : null,
      claimInstructions: win.claimInstructions ?? 'Write to support with your size.',
      redCoinAmount: redCoin,
    },
  }
}

export function losing(redCoin = 5): OpeningResult {
  return { won: false, prizeId: null, prize: null, claimId: null, redCoinEarned: redCoin }
}

const hash = 'a0'.repeat(32)

/** An answer with these results; its proof proves nothing. */
export function answerOf(results: OpeningResult[], updatedBalance = 0): OpenPacksResponse {
  const places = { requestId: 'r', chainId: 1, index: 0, entropyFrom: 'player' } as const
  const seeds = { commitment: hash, serverSeed: hash, entropy: hash, nextCommitment: hash }
  return { results, proof: { ...places, ...seeds, tableHash: hash }, updatedBalance }
}
