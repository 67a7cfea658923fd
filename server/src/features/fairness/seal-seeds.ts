// Seals the secret seeds that an earlier program left in plain text.

import type { Deps } from '../../adapters/deps.ts'
import { serverSeeds } from '../../adapters/random/server-seeds.ts'
import { sealPlainSeeds } from './seed-tables.ts'

const batchSize = 500

/** Works in small transactions, so that openings wait for a moment at most. */
export async function sealSeeds(deps: Pick<Deps, 'db' | 'random' | 'encryption'>): Promise<void> {
  const seeds = serverSeeds(deps.random, deps.encryption)
  for (;;) {
    const sealed = await deps.db.transaction((tx) => sealPlainSeeds(tx, seeds, batchSize))
    if (sealed < batchSize) return
  }
}
