// What the bots do by the clock.

import type { Job } from '../../adapters/jobs/job.ts'
import { closeExpired } from './close-expired.ts'
import { postCheckpoint } from './post-checkpoint.ts'
import { postRewards } from './post-rewards.ts'

export const discordJobs: readonly Job[] = [
  { name: 'discord-post-rewards', everySeconds: 20, run: postRewards },
  { name: 'discord-close-expired', everySeconds: 60, run: closeExpired },
  { name: 'discord-post-checkpoint', everySeconds: 60, run: postCheckpoint },
]
