// People and things that tests speak of.

import type { Claim, ClaimsResponse, Opening, SessionUser } from '@redpack/contract'

/** A signed-in viewer, different where the test says so. */
export function sampleUser(change: Partial<SessionUser> = {}): SessionUser {
  return {
    id: 7,
    username: 'lunafox',
    displayName: 'Luna Fox',
    email: null,
    avatar: null,
    role: 'user',
    redCoinBalance: 1200,
    createdAt: '2026-01-02T10:00:00.000Z',
    solanaWallet: null,
    discordId: null,
    discordUsername: null,
    discordAvatar: null,
    suspension: null,
    ...change,
  }
}

/** An opening of the given day in November 2026; with a prize when it is named. */
export function sampleOpening(id: number, day: number, prize?: string): Opening {
  return {
    id,
    createdAt: new Date(2026, 10, day, 12).toISOString(),
    prize: prize === undefined ? null : { id: 100 + id, name: prize, redCoinAmount: 0 },
    redCoinEarned: prize === undefined ? 5 : 0,
    packType: { id: 1, name: 'Crown Pack' },
  }
}

/** A claim as its winner sees it, different where the test says so. */
export function sampleOwnClaim(
  prize: Partial<Claim['prize']> = {},
  change: Partial<Claim> = {},
): Claim {
  const picture = { imageData: null, imageType: null }
  return {
    ...{ id: 1, claimId: 'PR-ABCDEFGH', status: 'pending', createdAt: '2026-11-20T10:00:00.000Z' },
    prize: {
      ...{ id: 1, name: 'Hoodie', description: '', claimInstructions: '' },
      ...{ ...picture, redCoinAmount: 0, ...prize },
    },
    ...change,
  }
}

/** Where a page stands among so many things, 25 to a page. */
export function samplePagination(totalItems: number, page = 1): ClaimsResponse['pagination'] {
  const totalPages = Math.ceil(totalItems / 25)
  const sides = { hasPreviousPage: page > 1, hasNextPage: page < totalPages }
  return { totalItems, totalPages, ...sides, page, limit: 25 }
}
