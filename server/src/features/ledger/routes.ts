// The leaderboard and the caller's own history over HTTP.

import { coinsContract, historyContract, type LeaderboardEntry } from '@redpack/contract'
import { leaderboardMax } from '@redpack/contract/limits'
import { sendFile, serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { beginningOf, ResponseCache } from '../../adapters/http/response-cache.ts'
import { leaderboard, ownRank, redCoinFile, redCoinHistory } from './views.ts'

/** A ranking is read in these sizes; who asks for fewer gets the beginning of the next one. */
const sizes = [100, 500, 2_000, leaderboardMax]
/** Longer ones are read at most once a second: at every change they would hold up everybody. */
const cheapMax = 500

export function registerCoins({ app, deps, guards }: FeatureContext): void {
  const ready = new ResponseCache<number, LeaderboardEntry[]>(deps, {
    isStaleAfter: ({ type }) => type === 'user_changed' || type === 'leaderboard_changed',
    entriesMax: sizes.length,
    restMillis: (size) => (size > cheapMax ? 1_000 : 0),
  })
  serve(app, guards, coinsContract.leaderboard, async ({ query: { limit } }) => {
    const size = sizes.find((large) => limit <= large) ?? leaderboardMax
    const whole = await ready.get(size, () => leaderboard(deps.db, size))
    // No name can look like the next entry: a quotation mark in it is escaped.
    const end = whole.body.indexOf(`,{"rank":${limit + 1},`)
    return end === -1 ? whole : beginningOf(whole, end)
  })
  serve(app, guards, coinsContract.ownRank, ({ actor }) => ownRank(deps.db, actor.userId))
  serve(app, guards, historyContract.redCoin, ({ actor, query }) =>
    redCoinHistory(deps.db, actor.userId, query),
  )
  serve(app, guards, historyContract.redCoinFile, async ({ actor, query, reply }) =>
    sendFile(reply, 'redcoin-history', 'csv', redCoinFile(deps.db, actor.userId, query.type)),
  )
}
