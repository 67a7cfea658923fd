// Posts the public log's checkpoint once a day: an anchor that nobody can rewrite quietly.

import type { World } from '../../adapters/world.ts'
import { DiscordFault } from '../../rules/discord-fault.ts'
import { newestCheckpoint, servedCheckpoint } from '../draw-log/checkpoint-tables.ts'
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
export async function postCheckpoint(world: World): Promise<void> {
  const channelId = world.publicLog.discordChannelId
  if (channelId === undefined || !world.discord.hasToken) return
  if ((await botProblem(world)) !== undefined) return
  const now = world.clock.now()
  const day = now.toISOString().slice(0, 10)
  if (!(await isCheckpointPlanned(world.db, day))) {
    const content = await contentOf(world, day)
    if (content === undefined) return
    await planCheckpointPost(world.db, day, { channelId, nonce: newNonce(world), content }, now)
  }
  const post = await takeCheckpointPost(world.db, day, now)
  if (post === undefined) return
  try {
    // An earlier attempt may have posted and died before it could say so.
    const found =
      post.attempts > 1 ? await world.discord.findText(post.channelId, post.content) : undefined
    const messageId = found ?? (await world.discord.say(post.channelId, post.content, post.nonce))
    await markCheckpointPosted(world.db, day, messageId)
  } catch (error) {
    if (!(error instanceof DiscordFault)) throw error
    world.log.warn({ err: error, channelId: post.channelId }, 'the checkpoint was not posted')
    const pause =
      error.kind === 'rate_limited'
        ? error.retryAfterSeconds * 1000
        : Math.min(firstPauseMillis * 2 ** (post.attempts - 1), pauseMillisMax)
    const nextTryAt = new Date(world.clock.now().getTime() + pause)
    await putOffCheckpointPost(world.db, day, nextTryAt, error.message)
    if (error.kind === 'token') await stopBot(world)
  }
}

async function contentOf(world: World, day: string): Promise<string | undefined> {
  const served = await servedCheckpoint(world.db)
  const own = await newestCheckpoint(world.db)
  if (served === undefined || own === undefined) return undefined
  const note = served.note.length <= noteMax ? served.note : own.note
  return (
    `Public log of draws, checkpoint of ${day}. Keep it: it tells later whether anything before ` +
    `it was changed (${world.config.publicUrl}/fairness).\n\`\`\`\n${note}\`\`\``
  )
}
