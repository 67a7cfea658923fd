// Takes the button of expired messages back. It is a courtesy: what counts is the time in the row.

import type { Deps } from '../../adapters/deps.ts'
import { DiscordFault } from '../../shared/discord-fault.ts'
import { botProblem, stopBot } from './bot-stop.ts'
import {
  type ExpiredMessage,
  forgetInteractions,
  markMessageClosed,
  takeExpiredMessage,
} from './closing-tables.ts'
import { closedPost } from './message-texts.ts'

const messagesPerRunMax = 100
const triesMax = 5
const againMillis = 600_000
/** Older interactions are refused by their signed time, so they need no remembering. */
const interactionMillis = 3_600_000

export async function closeExpired(deps: Deps): Promise<void> {
  const start = deps.clock.now().getTime()
  await forgetInteractions(deps.db, new Date(start - interactionMillis))
  if (!deps.discord.hasToken || (await botProblem(deps)) !== undefined) return
  for (let count = 0; count < messagesPerRunMax; count += 1) {
    const now = deps.clock.now()
    const nextTryAt = new Date(now.getTime() + againMillis)
    const message = await takeExpiredMessage(deps.db, now, nextTryAt)
    if (message === undefined) return
    if (!(await closeMessage(deps, message))) {
      await stopBot(deps)
      return
    }
  }
}

/** Answers false when the bot must stop. */
async function closeMessage(deps: Deps, message: ExpiredMessage): Promise<boolean> {
  const { id, channelId, messageId, rewardAmount, nonce, closeTries } = message
  try {
    if (nonce !== null) {
      await deps.discord.closePost(channelId, messageId, closedPost({ nonce, rewardAmount }))
    }
  } catch (error) {
    if (!(error instanceof DiscordFault)) throw error
    if (error.kind === 'token') return false
    const mayPass = error.kind === 'rate_limited' || error.kind === 'unreachable'
    if (mayPass && closeTries < triesMax) return true
  }
  await markMessageClosed(deps.db, id, deps.clock.now())
  return true
}
