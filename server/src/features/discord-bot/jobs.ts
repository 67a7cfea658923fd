// What the bots do by the clock.

import type { Job } from '../../adapters/jobs/job.ts'
import { closeExpired, postCheckpoint, postRewards } from './posts.ts'

export const discordJobs: readonly Job[] = [
  { name: 'discord-post-rewards', everySeconds: 20, run: postRewards },
  { name: 'discord-close-expired', everySeconds: 60, run: closeExpired },
  { name: 'discord-post-checkpoint', everySeconds: 60, run: postCheckpoint },
]
