// What the Twitch bot does by the clock.

import type { Job } from '../../adapters/jobs/job.ts'
import { checkBot } from './credentials.ts'
import { readChatters, sendMessages } from './send-messages.ts'

export const chatBotJobs: readonly Job[] = [
  { name: 'chat-bot-check', everySeconds: 300, run: checkBot },
  { name: 'chat-bot-read-chatters', everySeconds: 60, run: readChatters },
  { name: 'chat-bot-send-messages', everySeconds: 5, run: sendMessages },
]
