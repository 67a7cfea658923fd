// Sessions and completions of the viewers who ask at the same time, read together.

import type { WatchCompletion, WatchSession } from '@redpack/contract'
import type { Queryable } from '../../adapters/db/database.ts'
import { type Gathering, gatheredReads } from '../../shared/gathering.ts'
import { watchCompletionsOf, watchSessionsOf } from './session-views.ts'

interface WatchReads {
  readonly sessions: Gathering<number, WatchSession[]>
  readonly completions: Gathering<number, WatchCompletion[]>
}

/** What viewers ask every few seconds, by user id; `now` tells the time of each read. */
export function gatherWatchReads(db: Queryable, now: () => Date): WatchReads {
  return {
    sessions: gatheredReads((userIds) => watchSessionsOf(db, userIds, now())),
    completions: gatheredReads((userIds) => watchCompletionsOf(db, userIds)),
  }
}
