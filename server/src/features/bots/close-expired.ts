// Takes the button of expired messages back. It is a courtesy: what counts is the time in the row.

import type { World } from '../../adapters/world.ts'
import { DiscordFault } from '../../rules/discord-fault.ts'
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

export async function closeExpired(world: World): Promise<void> {
  const start = world.clock.now().getTime()
  await forgetInteractions(world.db, new Date(start - interactionMillis))
  if (!world.discord.hasToken || (await botProblem(world)) !== undefined) return
  for (let count = 0; count < messagesPerRunMax; count += 1) {
    const now = world.clock.now()
    const nextTryAt = new Date(now.getTime() + againMillis)
    const message = await takeExpiredMessage(world.db, now, nextTryAt)
    if (message === undefined) return
    if (!(await closeMessage(world, message))) {
      await stopBot(world)
      return
    }
  }
}

/** Answers false when the bot must stop. */
async function closeMessage(world: World, message: ExpiredMessage): Promise<boolean> {
  const { id, channelId, messageId, rewardAmount, nonce, closeTries } = message
  try {
    if (nonce !== null) {
      await world.discord.closePost(channelId, messageId, closedPost({ nonce, rewardAmount }))
    }
  } catch (error) {
    if (!(error instanceof DiscordFault)) throw error
    if (error.kind === 'token') return false
    const mayPass = error.kind === 'rate_limited' || error.kind === 'unreachable'
    if (mayPass && closeTries < triesMax) return true
  }
  await markMessageClosed(world.db, id, world.clock.now())
  return true
}
