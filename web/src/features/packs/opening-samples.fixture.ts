// Opening results for tests.

import type { OpeningResult, OpenPacksResponse } from '@redpack/contract'

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
