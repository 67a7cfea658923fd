// The public ranking of RedCoin balances (W-019), the caller's own place in it, and staying out of
// it.

import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { leaderboardDefault, leaderboardMax } from './limits.ts'
import { flag, pageLimit, requestObject } from './values.ts'

/** A ranked viewer; nothing else about the person is public. */
export const LeaderboardEntry = z.object({
  rank: z.int(),
  displayName: z.string(),
  username: z.string(),
  avatar: z.nullable(z.string()),
  redCoinBalance: z.int(),
})
export type LeaderboardEntry = z.infer<typeof LeaderboardEntry>

export const LeaderboardQuery = z.object({ limit: pageLimit(leaderboardDefault, leaderboardMax) })

/** Somebody near the caller, or the caller. */
export const LeaderboardNeighbour = z.extend(LeaderboardEntry, { isSelf: z.boolean() })

export const OwnRank = z.object({
  /** Null without RedCoin and for accounts that are never ranked. */
  rank: z.nullable(z.int()),
  redCoinBalance: z.int(),
  isHidden: z.boolean(),
  /** Up to two above, the caller, and up to two below, in rank order; empty without a rank. */
  neighbours: z.array(LeaderboardNeighbour),
})
export type OwnRank = z.infer<typeof OwnRank>

export const LeaderboardVisibilityRequest = requestObject({
  isHidden: flag('Choose whether to be hidden'),
})

export const LeaderboardVisibility = z.object({ isHidden: z.boolean() })

export const coinsContract = {
  leaderboard: endpoint('public', 'GET', '/api/redcoin/leaderboard', {
    summary: 'Lists the highest balances, highest first.',
    query: LeaderboardQuery,
    response: z.array(LeaderboardEntry),
  }),
  ownRank: endpoint('viewer', 'GET', '/api/redcoin/leaderboard/me', {
    summary: "Returns the caller's place in the ranking and their neighbours, even while hidden.",
    response: OwnRank,
  }),
  changeVisibility: endpoint('viewer', 'PUT', '/api/user/leaderboard-visibility', {
    changes: ['leaderboard'],
    summary: 'Hides the caller in the public ranking, or shows them again.',
    body: LeaderboardVisibilityRequest,
    response: LeaderboardVisibility,
  }),
}
