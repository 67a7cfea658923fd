// Fills an empty sandbox with the story of a community, told by the product's own use-cases.

import type { Deps } from '../adapters/deps.ts'
import { sha256Hex } from '../adapters/random/hashing.ts'
import { appendLogEntries } from '../features/fairness/public-log.ts'
import { dropStoryMark, isUnused, putStoryMark, readStoryMark } from './demo-tables.ts'
import type { Chapter } from './story-events.ts'
import { planStory } from './story-plan.ts'
import { StoryScene } from './story-scene.ts'
import { tellEvent } from './story-teller.ts'

/** A chapter, with all of its statements, on a busy machine. */
const chapterMillisMax = 120_000

/**
 * Adds the demo content when the database holds neither pack types nor users, or goes on where an
 * earlier start was interrupted: each chapter of the story is one transaction and leaves a mark.
 * `days` is the length of a story that begins now. A story that was begun by a program with another
 * plan ends where it is. Answers whether anything was told.
 */
export async function seedDemo(deps: Deps, days: number): Promise<boolean> {
  const begun = await readStoryMark(deps.db)
  if (begun === undefined && !(await isUnused(deps.db))) return false
  const { until, days: length, told = 0 } = begun ?? { until: deps.clock.now().toISOString(), days }
  const chapters = planStory({ until: new Date(until), days: length })
  const planHash = hashOf(chapters)
  if (begun !== undefined && begun.planHash !== planHash) {
    deps.log.warn('the story of the demo was begun by another version and ends where it is')
    await dropStoryMark(deps.db)
    return false
  }
  for (const [index, chapter] of chapters.entries()) {
    if (index < told) continue
    await deps.db.longTransaction(chapterMillisMax, async (tx) => {
      const scene = new StoryScene(deps, tx)
      await tellChapter(scene, chapter)
      if (index === chapters.length - 1) await dropStoryMark(tx)
      else await putStoryMark(tx, { until, days: length, told: index + 1, planHash })
    })
  }
  return true
}

function hashOf(chapters: readonly Chapter[]): string {
  const text = JSON.stringify(chapters, (_key, value: unknown) =>
    value instanceof Map ? [...value] : value,
  )
  return sha256Hex(text)
}

async function tellChapter(scene: StoryScene, chapter: Chapter): Promise<void> {
  for (const event of chapter) await tellEvent(scene, event)
  await appendLogEntries(scene.deps)
}
