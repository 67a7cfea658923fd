// Everything that the product does by the clock, in the order in which due jobs run.

import type { Job } from './adapters/jobs/job.ts'
import { authJobs } from './features/auth/jobs.ts'
import { discordJobs } from './features/bots/jobs.ts'
import { chatBotJobs } from './features/chat-bot/jobs.ts'
import { deliveryJobs } from './features/delivery/jobs.ts'
import { drawLogJobs } from './features/draw-log/jobs.ts'
import { fairnessJobs } from './features/fairness/jobs.ts'
import { tidyingJobs } from './features/jobs/jobs.ts'
import { overviewJobs } from './features/overview/jobs.ts'
import { catalogueJobs } from './features/pack-types/jobs.ts'
import { streamJobs } from './features/streams/jobs.ts'

/** The jobs of every feature. */
export function productJobs(): readonly Job[] {
  return [
    ...authJobs,
    ...streamJobs,
    ...chatBotJobs,
    ...drawLogJobs,
    ...fairnessJobs,
    ...deliveryJobs,
    ...discordJobs,
    ...catalogueJobs,
    ...tidyingJobs,
    ...overviewJobs,
  ]
}
