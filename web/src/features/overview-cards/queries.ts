// What the dashboard asks for: the counts, and the latest openings.

import { type Opening, packsContract, type StatsResponse } from '@redpack/contract'
import { queryOptions } from '@tanstack/react-query'

/** How many openings the dashboard lists. */
export const recentOpeningsMax = 5

/** Unopened and opened packs of the caller; loaded by its key. */
export const statsQuery = queryOptions<StatsResponse | null, Error, StatsResponse>({
  queryKey: [packsContract.stats.path],
  // An answer without a text is null, and means that there is nothing yet.
  select: (stats) => stats ?? { totalPacks: 0, packsOpened: 0 },
})

/** The caller's openings; loaded by its key. */
export const openingsQuery = queryOptions<readonly Opening[]>({
  queryKey: [packsContract.openings.path],
})

/** The latest openings, newest first, whatever order they came in. */
export function latestOpenings(openings: readonly Opening[]): readonly Opening[] {
  const newestFirst = [...openings].sort(
    (one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt) || other.id - one.id,
  )
  return newestFirst.slice(0, recentOpeningsMax)
}
