// Opening results for tests.

import type { OpeningResult } from '@redpack/contract'

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
