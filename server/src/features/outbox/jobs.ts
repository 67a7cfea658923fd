// What is done about news by the clock.

import type { Job } from '../../adapters/jobs/job.ts'
import { collectDueNews, collectNews } from './collect-news.ts'
import { sendMessages, tidyOutbox } from './send-messages.ts'

export const outboxJobs: readonly Job[] = [
  { name: 'outbox-collect', everySeconds: 5, run: collectNews },
  { name: 'outbox-collect-due', everySeconds: 60, run: collectDueNews },
  { name: 'outbox-send', everySeconds: 5, run: sendMessages },
  { name: 'outbox-tidy', everySeconds: 86_400, run: tidyOutbox },
]
