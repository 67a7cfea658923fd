// Brings the public draw log up to date with the openings.

import { sha256Hex } from '../../adapters/random/rolls.ts'
import type { World } from '../../adapters/world.ts'
import { continueChain } from '../../rules/hash-chain.ts'
import { appendLinks, endOfChain, requestsToLog, takeAppendLock } from './tables.ts'

const batchMax = 200

/**
 * Appends every opening request that is not in the log, oldest first, in transactions of 200. A
 * request that commits late is simply appended later: requests wait in a queue of their own, so no
 * order of commits and no clock can make one be missed. Running it twice, or in several processes
 * at once, appends each request once; who comes second leaves the work to the first.
 * @returns how many requests were appended by this run
 */
export async function appendDrawLog(
  world: Pick<World, 'db'>,
  batches = Number.POSITIVE_INFINITY,
): Promise<number> {
  let total = 0
  for (let batch = 0; batch < batches; batch += 1) {
    const appended = await appendBatch(world)
    total += appended
    if (appended < batchMax) break
  }
  return total
}

function appendBatch({ db }: Pick<World, 'db'>): Promise<number> {
  return db.transaction(async (tx) => {
    if (!(await takeAppendLock(tx))) return 0
    const requests = await requestsToLog(tx, batchMax)
    if (requests.length === 0) return 0
    const links = continueChain(await endOfChain(tx), requests, sha256Hex)
    await appendLinks(tx, requests, links)
    return requests.length
  })
}
