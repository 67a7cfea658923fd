// Seals the secret seeds that an earlier program left in plain text.

import { serverSeeds } from '../../adapters/random/server-seeds.ts'
import type { World } from '../../adapters/world.ts'
import { sealPlainSeeds } from './tables.ts'

const batchSize = 500

/** Works in small transactions, so that openings wait for a moment at most. */
export async function sealSeeds(world: Pick<World, 'db' | 'random' | 'encryption'>): Promise<void> {
  const seeds = serverSeeds(world.random, world.encryption)
  for (;;) {
    const sealed = await world.db.transaction((tx) => sealPlainSeeds(tx, seeds, batchSize))
    if (sealed < batchSize) return
  }
}
