// Posts the public log's checkpoint once a day: an anchor that nobody can rewrite quietly.

import type { Deps } from '../../adapters/deps.ts'
import { DiscordFault } from '../../shared/discord-fault.ts'
import { newestCheckpoint } from '../fairness/checkpoint-tables.ts'
import { botProblem, stopBot } from './bot-stop.ts'
import {
  isCheckpointPlanned,
  markCheckpointPosted,
  planCheckpointPost,
  putOffCheckpointPost,
  takeCheckpointPost,
} from './checkpoint-post-tables.ts'
import { newNonce } from './plan-posts.ts'

/** Discord takes 2,000 characters; cosignatures stay away when they would be too many. */
const noteMax = 1_700
const firstPauseMillis = 60_000
const pauseMillisMax = 3_600_000

/**
 * One post for each day in UTC, from the first checkpoint of the day that is there. What fails is
 * tried again as long as the day lasts.
 */
export async function postCheckpoint(deps: Deps): Promise<void> {
  const channelId = deps.publicLog.discordChannelId
  if (channelId === undefined || !deps.discord.hasToken) return
  if ((await botProblem(deps)) !== undefined) return
  const now = deps.clock.now()
  const day = now.toISOString().slice(0, 10)
  if (!(await isCheckpointPlanned(deps.db, day))) {
    const content = await contentOf(deps, day)
    if (content === undefined) return
    await planCheckpointPost(deps.db, day, { channelId, nonce: newNonce(deps), content }, now)
  }
  const post = await takeCheckpointPost(deps.db, day, now)
  if (post === undefined) return
  try {
    // An earlier attempt may have posted and died before it could say so.
    const found =
      post.attempts > 1 ? await deps.discord.findText(post.channelId, post.content) : undefined
    const messageId = found ?? (await deps.discord.say(post.channelId, post.content, post.nonce))
    await markCheckpointPosted(deps.db, day, messageId)
  } catch (error) {
    if (!(error instanceof DiscordFault)) throw error
    deps.log.warn({ err: error, channelId: post.channelId }, 'the checkpoint was not posted')
    const pause =
      error.kind === 'rate_limited'
        ? error.retryAfterSeconds * 1000
        : Math.min(firstPauseMillis * 2 ** (post.attempts - 1), pauseMillisMax)
    const nextTryAt = new Date(deps.clock.now().getTime() + pause)
    await putOffCheckpointPost(deps.db, day, nextTryAt, error.message)
    if (error.kind === 'token') await stopBot(deps)
  }
}

async function contentOf(deps: Deps, day: string): Promise<string | undefined> {
  const newest = await newestCheckpoint(deps.db)
  if (newest === undefined) return undefined
  const note = newest.served.length <= noteMax ? newest.served : newest.note
  return (
    `Public log of draws, checkpoint of ${day}. Keep it: it tells later whether anything before ` +
    `it was changed (${deps.config.publicUrl}/fairness).\n\`\`\`\n${note}\`\`\``
  )
}
