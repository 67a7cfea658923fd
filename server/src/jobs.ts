// Everything that the product does by the clock, in the order in which due jobs run.

import type { Job } from './adapters/jobs/job.ts'
import { authJobs } from './features/account/jobs.ts'
import { overviewJobs } from './features/books/jobs.ts'
import { catalogueJobs } from './features/catalogue/jobs.ts'
import { deliveryJobs } from './features/claims/jobs.ts'
import { discordJobs, postOutlet } from './features/discord-bot/jobs.ts'
import { chainJobs, drawLogJobs } from './features/fairness/log-jobs.ts'
import { ledgerJobs } from './features/ledger/jobs.ts'
import { outboxJobs } from './features/outbox/jobs.ts'
import { tidyingJobs } from './features/server/jobs.ts'
import { chatBotJobs, chatOutlet } from './features/twitch-bot/jobs.ts'
import { streamJobs } from './features/watch/jobs.ts'

/** The jobs of every feature. */
export function productJobs(): readonly Job[] {
  return [
    ...authJobs,
    ...streamJobs,
    ...chatBotJobs,
    ...drawLogJobs,
    ...chainJobs,
    ...deliveryJobs,
    ...discordJobs,
    ...outboxJobs(chatOutlet, postOutlet),
    ...catalogueJobs,
    ...tidyingJobs,
    ...ledgerJobs,
    ...overviewJobs,
  ]
}
