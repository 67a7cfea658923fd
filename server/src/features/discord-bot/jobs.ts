// What the Discord bot does by the clock.

import type { Job } from '../../adapters/jobs/job.ts'
import { planPosts } from './posts.ts'
import { postCarrier } from './send-post.ts'

export const postOutlet = ['post', postCarrier] as const

export const discordJobs: readonly Job[] = [
  { name: 'discord-plan-posts', everySeconds: 20, run: planPosts },
]
