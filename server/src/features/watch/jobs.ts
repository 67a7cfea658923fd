// What streams do by the clock.

import type { Job } from '../../adapters/jobs/job.ts'
import { forgetOldEvents, pollLive, subscribeToEvents } from './live.ts'
import { applySchedules, removeDeletedStreams } from './streams.ts'

export const streamJobs: readonly Job[] = [
  { name: 'streams-apply-schedules', everySeconds: 60, run: applySchedules },
  { name: 'streams-poll-live', everySeconds: 30, run: (deps) => pollLive(deps) },
  { name: 'streams-subscribe-to-events', everySeconds: 600, run: subscribeToEvents },
  { name: 'streams-forget-events', everySeconds: 3_600, run: forgetOldEvents },
  { name: 'streams-remove-deleted', everySeconds: 3_600, run: removeDeletedStreams },
]
