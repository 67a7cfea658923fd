// Draw chains: what the next opening is drawn from as far as it is public, and the end of chains
// of days past, whose unused seeds are told whether their owners come back or not.

import type { Deps } from '../../adapters/deps.ts'
import { drawSeeds } from '../../adapters/random/draw-seeds.ts'
import { Unavailable } from '../../shared/domain-error.ts'
import { lockUser } from '../ledger/ledger-tables.ts'
import {
  chainOfToday,
  endedChains,
  endOpenChain,
  forgetUnusedChains,
  pastChains,
} from './chain-tables.ts'

/** The user's chain of today, begun by the first look. @throws Unavailable as `chainOfToday` */
export async function showChain(deps: Deps, userId: number) {
  const seeds = drawSeeds(deps.random, deps.encryption)
  const now = deps.clock.now()
  return deps.db.transaction(async (tx) => {
    const { chainId, index, commitment } = await chainOfToday(tx, seeds, userId, now)
    return { chainId, index, commitment, ended: await endedChains(tx, userId, now) }
  })
}

const batchSize = 500

/**
 * One small transaction for each, so that nobody who opens packs meanwhile waits. A chain whose
 * seed cannot be opened is told to the operator, and left for the next run.
 */
export async function endPastChains({ db, clock, random, encryption, log }: Deps): Promise<void> {
  const seeds = drawSeeds(random, encryption)
  const now = clock.now()
  let unopened = 0
  for (let after: number | undefined = 0; after !== undefined; ) {
    const past = await pastChains(db, now, { after, limit: batchSize })
    for (const { userId } of past) {
      try {
        await db.transaction(async (tx) => {
          await lockUser(tx, userId)
          await endOpenChain(tx, seeds, userId, { now, which: 'past' })
        })
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error
        unopened += 1
      }
    }
    after = past.length < batchSize ? undefined : past.at(-1)?.chainId
  }
  if (unopened > 0) log.error({ chains: unopened }, 'seeds of past days cannot be opened')
  await forgetUnusedChains(db, now)
}
