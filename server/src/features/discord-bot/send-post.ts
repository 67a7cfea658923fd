// Sends one planned post, so that it stands in its channel exactly once.

import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import { DiscordFault } from '../../shared/discord-fault.ts'
import { errorWords } from './channel-words.ts'
import { buttonIdOf, openPost } from './message-texts.ts'
import { failPost, type PostRow, putOffPost, recordPostedMessage } from './post-tables.ts'
import { clearServerProblem, countRefusedPost, findActiveChannel } from './server-tables.ts'
import { keepLastPostTime } from './settings-tables.ts'

/** How long a process may work on a post before another one takes it over. */
const leaseMillis = 60_000
/** Posts in a row that Discord may refuse before a channel is switched off. */
const refusalsMax = 3
const refusedAgainMillis = 60_000
const unreachableMillisMax = 300_000

export function leaseEnd(now: Date): Date {
  return new Date(now.getTime() + leaseMillis)
}

/**
 * Posts the message and records it. When posting was begun before, the channel is searched first:
 * the earlier attempt may have posted and died before it could say so. The nonce covers the rest,
 * since Discord answers the message it has for it.
 * @throws DiscordFault
 */
export async function sendPost(
  deps: Deps,
  post: PostRow,
  inSameTransaction?: InSameTransaction,
): Promise<string> {
  const isRepeated = post.attempts > 1
  const found = isRepeated
    ? await deps.discord.findPost(post.channelId, buttonIdOf(post.nonce))
    : undefined
  const messageId = found ?? (await deps.discord.post(post.channelId, openPost(post), post.nonce))
  await recordPost(deps, post, messageId, inSameTransaction)
  return messageId
}

/** What is written in the transaction that records a post. */
type InSameTransaction = (tx: Queryable) => Promise<void>

/** Makes the message of a post claimable, once. */
export async function recordPost(
  deps: Deps,
  post: PostRow,
  messageId: string,
  inSameTransaction?: InSameTransaction,
): Promise<void> {
  const now = deps.clock.now()
  await deps.db.transaction(async (tx) => {
    await inSameTransaction?.(tx)
    if (!(await recordPostedMessage(tx, post, messageId, now))) return
    await clearServerProblem(tx, post.channelId, now)
    await keepLastPostTime(tx, post.channelId, now)
  })
}

/** Sends a leased post as a job does. Answers false when the bot must stop. */
export async function trySendPost(deps: Deps, post: PostRow): Promise<boolean> {
  if ((await findActiveChannel(deps.db, post.channelId)) === undefined) {
    await failPost(deps.db, post.id, 'The channel is no longer on the whitelist')
    return true
  }
  try {
    await sendPost(deps, post)
    return true
  } catch (error) {
    if (!(error instanceof DiscordFault)) throw error
    deps.log.warn({ err: error, channelId: post.channelId }, 'a reward post was not sent')
    return await endFailedAttempt(deps, post, error)
  }
}

async function endFailedAttempt(deps: Deps, post: PostRow, fault: DiscordFault): Promise<boolean> {
  const now = deps.clock.now().getTime()
  const putOff = (millis: number) =>
    putOffPost(deps.db, post.id, new Date(now + millis), fault.message)
  switch (fault.kind) {
    case 'token':
      await putOff(0)
      return false
    case 'rate_limited':
      await putOff(fault.retryAfterSeconds * 1000)
      return true
    case 'unreachable':
      await putOff(Math.min(2 ** post.attempts * 5_000, unreachableMillisMax))
      return true
    case 'refused':
      await failPost(deps.db, post.id, fault.message)
      return true
    default: {
      const words = await errorWords(deps, post.serverId, post.channelId, fault.message)
      const channel = await countRefusedPost(deps.db, post.channelId, words, refusalsMax)
      if (channel?.isActive === true) await putOff(refusedAgainMillis)
      else await failPost(deps.db, post.id, words)
      return true
    }
  }
}
