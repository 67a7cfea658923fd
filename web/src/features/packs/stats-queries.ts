// What the dashboard asks for: the counts, the packs, and the latest openings.

import { type Opening, packsContract } from '@redpack/contract'
import { endpointQuery } from '../../lib/endpoint-query.ts'

/** How many openings the dashboard lists. */
export const recentOpeningsMax = 5

/** Unopened and opened packs of the caller. */
export const statsQuery = endpointQuery(packsContract.stats, {
  shows: ['holdings', 'statistics'],
  empty: { totalPacks: 0, packsOpened: 0 },
})

/** The caller's unopened packs; quantities of 0 may be among them. */
export const holdingsQuery = endpointQuery(packsContract.holdings, {
  shows: ['holdings'],
  empty: [],
})

export const openingsQuery = endpointQuery(packsContract.openings, {
  shows: ['holdings'],
  empty: [],
})

/** The latest openings, newest first, whatever order they came in. */
export function latestOpenings(openings: readonly Opening[]): readonly Opening[] {
  const newestFirst = [...openings].sort(
    (one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt) || other.id - one.id,
  )
  return newestFirst.slice(0, recentOpeningsMax)
}
