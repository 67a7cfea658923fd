// Fills an empty sandbox with the story of a community, told by the product's own use-cases.

import type { Deps } from '../adapters/deps.ts'
import { appendLogEntries } from '../features/fairness/append-entries.ts'
import {
  dropStoryMark,
  isUnused,
  putStoryMark,
  readStoryMark,
  type StoryMark,
} from './demo-tables.ts'
import type { Chapter } from './story-events.ts'
import { planStory } from './story-plan.ts'
import { StoryScene } from './story-scene.ts'
import { tellEvent } from './story-teller.ts'

/** A chapter, with all of its statements, on a busy machine. */
const chapterMillisMax = 120_000

/**
 * Adds the demo content when the database holds neither pack types nor users, or goes on where an
 * earlier start was interrupted: each chapter of the story is one transaction and leaves a mark.
 * `days` is the length of a story that begins now. Answers whether anything was told.
 */
export async function seedDemo(deps: Deps, days: number): Promise<boolean> {
  const begun = await deps.db.transaction((tx) => readStoryMark(tx))
  const mark = begun ?? { until: deps.clock.now().toISOString(), days, told: 0 }
  if (begun === undefined && !(await deps.db.transaction((tx) => isUnused(tx)))) return false
  const chapters = planStory({ until: new Date(mark.until), days: mark.days })
  for (const [index, chapter] of chapters.entries()) {
    if (index < mark.told) continue
    await deps.db.patient(chapterMillisMax, async (tx) => {
      const scene = new StoryScene(deps, tx)
      await tellChapter(scene, chapter)
      await keepMark(scene, { ...mark, told: index + 1 }, index === chapters.length - 1)
    })
  }
  return true
}

async function tellChapter(scene: StoryScene, chapter: Chapter): Promise<void> {
  for (const event of chapter) await tellEvent(scene, event)
  await appendLogEntries(scene.deps)
}

async function keepMark({ deps }: StoryScene, mark: StoryMark, isLast: boolean): Promise<void> {
  if (isLast) await dropStoryMark(deps.db)
  else await putStoryMark(deps.db, mark)
}
