// What the next opening of a user is drawn from, as far as it is public.

import type { Deps } from '../../adapters/deps.ts'
import { drawSeeds } from '../../adapters/random/draw-seeds.ts'
import { chainOfToday, endedChains } from './chain-tables.ts'

/**
 * The user's chain of today, begun by the first look, and the seeds of those that ended.
 * @throws Unavailable when its seed cannot be opened
 */
export async function showChain(deps: Deps, userId: number) {
  const seeds = drawSeeds(deps.random, deps.encryption)
  const now = deps.clock.now()
  return deps.db.transaction(async (tx) => {
    const { chainId, index, commitment } = await chainOfToday(tx, seeds, userId, now)
    return { chainId, index, commitment, ended: await endedChains(tx, userId, now) }
  })
}
