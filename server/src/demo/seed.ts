// Fills an empty sandbox with the story of a community, told by the product's own use-cases.

import type { Deps } from '../adapters/deps.ts'
import { appendLogEntries } from '../features/fairness/public-log.ts'
import { isUnused, waitForSeedLock, waitPatiently } from './demo-tables.ts'
import { planStory } from './story-plan.ts'
import { StoryScene } from './story-scene.ts'
import { tellEvent } from './story-teller.ts'

/** Waiting for the process that fills the database, and any statement on a busy machine. */
const statementMillisMax = 180_000

/**
 * Adds the demo content when the database holds neither pack types nor users: whole, or not at all
 * when the start is interrupted. Of several processes that start on one empty server the first
 * fills it, and the others wait and see. Answers whether the story was told.
 */
export function seedDemo(deps: Deps, days: number): Promise<boolean> {
  return deps.db.longTransaction(statementMillisMax, async (tx) => {
    await waitPatiently(tx)
    await waitForSeedLock(tx)
    if (!(await isUnused(tx))) return false
    const scene = new StoryScene(deps, tx)
    for (const event of planStory({ until: deps.clock.now(), days })) await tellEvent(scene, event)
    await appendLogEntries(scene.deps)
    return true
  })
}
