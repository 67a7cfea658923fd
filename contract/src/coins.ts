// The public ranking of RedCoin balances (W-019).

import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { leaderboardDefault, leaderboardMax } from './limits.ts'
import { pageLimit } from './values.ts'

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
export type LeaderboardQuery = z.infer<typeof LeaderboardQuery>

export const coinsContract = {
  leaderboard: endpoint({
    method: 'GET',
    path: '/api/redcoin/leaderboard',
    access: 'public',
    summary: 'The highest balances, highest first.',
    wire: ['W-019'],
    query: LeaderboardQuery,
    bodyKind: 'none',
    response: z.array(LeaderboardEntry),
    refusals: [],
    rate: 'read',
  }),
}
