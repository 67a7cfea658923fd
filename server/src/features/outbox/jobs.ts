// What is done by the clock about all that leaves the product.

import type { Job } from '../../adapters/jobs/job.ts'
import { collectDueNews, collectNews } from './collect-news.ts'
import { newsOutlets } from './deliver.ts'
import { forgetOldLinks } from './own-settings.ts'
import { type Outlet, sendingJob, tidyOutbox } from './send-messages.ts'

/** `further` are the ways out that other rooms have besides those of news. */
export const outboxJobs = (...further: readonly Outlet[]): readonly Job[] => [
  { name: 'outbox-collect', everySeconds: 5, run: collectNews },
  { name: 'outbox-collect-due', everySeconds: 60, run: collectDueNews },
  ...[...newsOutlets, ...further].map(sendingJob),
  { name: 'outbox-forget-links', everySeconds: 3_600, run: forgetOldLinks },
  { name: 'outbox-tidy', everySeconds: 86_400, run: tidyOutbox },
]
