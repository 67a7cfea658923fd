// The leaderboard and the caller's own history over HTTP.

import { coinsContract, historyContract, type LeaderboardEntry } from '@redpack/contract'
import { csvType, sendFile, serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { ResponseCache } from '../../adapters/http/response-cache.ts'
import { leaderboard, ownRank, redCoinFile, redCoinHistory } from './views.ts'

/** The podium and the first pages of the ranking ask for a few different limits. */
const keptLimitsMax = 16

const historyFile = { type: csvType, fileName: 'redcoin-history.csv' }

export function registerCoins({ app, deps, guards }: FeatureContext): void {
  const ready = new ResponseCache<number, LeaderboardEntry[]>(deps, {
    isStaleAfter: ({ type }) =>
      type === 'user_changed' || type === 'leaderboard_changed' || type === 'everybody_changed',
    entriesMax: keptLimitsMax,
  })
  serve(app, guards, coinsContract.leaderboard, ({ query: { limit } }) =>
    ready.get(limit, () => leaderboard(deps.db, limit)),
  )
  serve(app, guards, coinsContract.ownRank, ({ actor }) => ownRank(deps.db, actor.userId))
  serve(app, guards, historyContract.redCoin, ({ actor, query }) =>
    redCoinHistory(deps.db, actor.userId, query),
  )
  serve(app, guards, historyContract.redCoinFile, async ({ actor, query, reply }) =>
    sendFile(reply, historyFile, redCoinFile(deps.db, actor.userId, query.type)),
  )
}
