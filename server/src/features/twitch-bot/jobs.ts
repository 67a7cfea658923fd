// What the Twitch bot does by the clock.

import type { Job } from '../../adapters/jobs/job.ts'
import { chatCarrier, readChatters } from './chat.ts'
import { checkBot } from './credentials.ts'

export const chatOutlet = ['chat', chatCarrier] as const

export const chatBotJobs: readonly Job[] = [
  { name: 'chat-bot-check', everySeconds: 300, run: checkBot },
  { name: 'chat-bot-read-chatters', everySeconds: 60, run: readChatters },
]
