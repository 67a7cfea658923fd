// Sessions and completions of the viewers who ask at the same time, read together.

import type { WatchCompletion, WatchSession } from '@redpack/contract'
import type { Queryable } from '../../adapters/db/database.ts'
import { batchedReads, type MicroBatcher } from '../../shared/micro-batcher.ts'
import { watchCompletionsOf, watchSessionsOf } from './session-views.ts'

interface WatchReads {
  readonly sessions: MicroBatcher<number, WatchSession[]>
  readonly completions: MicroBatcher<number, WatchCompletion[]>
}

/** What viewers ask every few seconds, by user id; `now` tells the time of each read. */
export function gatherWatchReads(db: Queryable, now: () => Date): WatchReads {
  return {
    sessions: batchedReads((userIds) => watchSessionsOf(db, userIds, now())),
    completions: batchedReads((userIds) => watchCompletionsOf(db, userIds)),
  }
}
