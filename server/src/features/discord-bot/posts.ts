// What the bot posts: rewards that are due, a test at the wish of staff, the log's checkpoint; and
// how it takes buttons back. Refused by its token it stands still.

import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import {
  dueSlot,
  expiryOfTest,
  postedRewardDefault,
  scheduleDefault,
} from '../../rules/post-schedule.ts'
import { DiscordFault } from '../../shared/discord-fault.ts'
import { DomainError, Unavailable } from '../../shared/domain-error.ts'
import type { StaffMember } from '../../shared/staff-call.ts'
import { recordStaffAction } from '../audit/tables.ts'
import { newestCheckpoint } from '../fairness/checkpoint-tables.ts'
import { closedPost } from './message-texts.ts'
import { errorWords, leaseEnd, sendPost, trySendPost } from './send-post.ts'
import {
  channelsWithoutPost,
  type ExpiredMessage,
  failOverduePosts,
  failPost,
  findActiveChannel,
  forgetInteractions,
  isCheckpointPlanned,
  markCheckpointPosted,
  markMessageClosed,
  type PostRow,
  planCheckpointPost,
  planPost,
  putBotStop,
  putOffCheckpointPost,
  readBotStop,
  readSettings,
  takeCheckpointPost,
  takeExpiredMessage,
  takePost,
  takeWaitingPost,
} from './tables.ts'

const markKind = 'discord_bot_token'

/** Why the bot stands still; undefined while it may run. Another token makes it run again. */
export async function botProblem(
  deps: Pick<Deps, 'config' | 'encryption'> & { readonly db: Queryable },
): Promise<string | undefined> {
  const token = deps.config.discord.botToken
  if (token === undefined) return undefined
  const stop = await readBotStop(deps.db)
  if (stop === undefined) return undefined
  const isThisToken = deps.encryption.fingerprints(markKind, token).includes(stop.tokenMark)
  return isThisToken ? stop.problem : undefined
}

/** Keeps the bot from calling Discord until the token is another one or staff save the settings. */
export async function stopBot(deps: Deps): Promise<void> {
  const token = deps.config.discord.botToken ?? ''
  const problem =
    'Discord does not accept the bot token. Set a new DISCORD_BOT_TOKEN and restart, ' +
    'or save these settings to try again.'
  const tokenMark = deps.encryption.fingerprint(markKind, token)
  await putBotStop(deps.db, { problem, tokenMark }, deps.clock.now())
  deps.log.error('Discord does not accept the bot token: the bot has stopped')
}

/** 9 bytes make 18 characters: nobody guesses a button, and Discord takes 25 at most. */
const nonceBytes = 9

/** The name of a post towards Discord: 18 hexadecimal digits. */
export function newNonce(deps: Deps): string {
  return deps.random.bytes(nonceBytes).toString('hex')
}

/**
 * Plans what is due. The row of a slot and channel is unique, so any number of processes may plan
 * at once and there is still one post. A reward of 0 is not posted: there is nothing to claim.
 */
export async function planPosts(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  await failOverduePosts(deps.db, now)
  const settings = await readSettings(deps.db)
  const rewardAmount = settings?.rewardAmount ?? postedRewardDefault
  if (settings?.isActive === false || rewardAmount === 0) return
  const due = dueSlot(settings?.postSchedule ?? scheduleDefault, now)
  if (due === undefined) return
  const { slot, expiresAt } = due
  if (settings?.scheduledFrom && slot < settings.scheduledFrom) return
  for (const { serverId, channelId } of await channelsWithoutPost(deps.db, slot)) {
    const post = { serverId, channelId, nonce: newNonce(deps), rewardAmount, isTest: false }
    await planPost(deps.db, { ...post, slot: slot.toISOString(), expiresAt, now })
  }
}

/** Posts of one run; what is left is sent by the next one. */
const postsPerRunMax = 200

/** Without a token, or with one that Discord has refused, nothing is planned or sent. */
export async function postRewards(deps: Deps): Promise<void> {
  if (!deps.discord.hasToken || (await botProblem(deps)) !== undefined) return
  await planPosts(deps)
  for (let count = 0; count < postsPerRunMax; count += 1) {
    const now = deps.clock.now()
    const post = await takeWaitingPost(deps.db, now, leaseEnd(now))
    if (post === undefined) return
    if (!(await trySendPost(deps, post))) {
      await stopBot(deps)
      return
    }
  }
}

/**
 * Answers the id of the message, which pays like any other and is open for an hour.
 * @throws DomainError not_found for a channel that is not on the whitelist, service_unavailable
 * without
 * a token; Unavailable when Discord does not take the post, saying why
 */
export async function sendTestClaim(
  deps: Deps,
  staff: StaffMember,
  channelId: string,
): Promise<string> {
  const channel = await findActiveChannel(deps.db, channelId)
  if (channel === undefined) {
    throw new DomainError('not_found', 'This channel is not on the list of servers')
  }
  if (!deps.discord.hasToken) {
    throw new DomainError('service_unavailable', 'The Discord bot has no token (DISCORD_BOT_TOKEN)')
  }
  const now = deps.clock.now()
  const nonce = newNonce(deps)
  const rewardAmount = (await readSettings(deps.db))?.rewardAmount ?? postedRewardDefault
  const { serverId } = channel
  const expiresAt = expiryOfTest(now)
  const slot = `test:${nonce}`
  const post = { slot, serverId, channelId, nonce, rewardAmount, isTest: true, expiresAt }
  await planPost(deps.db, { ...post, now })
  return sendNow(deps, nonce, (tx) =>
    recordStaffAction(tx, {
      ...staff,
      action: 'discord.test_claim',
      targetType: 'discord_channel',
      targetId: channelId,
      after: { rewardAmount },
      now,
    }),
  )
}

/** Tries twice: an answer that got lost is found again by the second attempt. */
async function sendNow(
  deps: Deps,
  nonce: string,
  audit: (tx: Queryable) => Promise<void>,
  isSecond = false,
): Promise<string> {
  const post = await takePost(deps.db, nonce, leaseEnd(deps.clock.now()))
  if (post === undefined) throw new Unavailable('The test message was not sent')
  try {
    return await sendPost(deps, post, audit)
  } catch (error) {
    if (!(error instanceof DiscordFault)) throw error
    if (error.kind === 'unreachable' && !isSecond) return sendNow(deps, nonce, audit, true)
    throw new Unavailable(await giveUp(deps, post, error), { cause: error })
  }
}

/** A test is not sent later: whoever asked for it looks now. Answers the reason. */
async function giveUp(deps: Deps, post: PostRow, fault: DiscordFault): Promise<string> {
  if (fault.kind === 'token') await stopBot(deps)
  const isOfPlace = fault.kind === 'forbidden' || fault.kind === 'unknown'
  const words = isOfPlace
    ? await errorWords(deps, post.serverId, post.channelId, fault.message)
    : fault.message
  await failPost(deps.db, post.id, words)
  return fault.code === undefined ? words : `${words} (Discord error ${fault.code})`
}

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
    await planCheckpointPost(deps.db, { day, channelId, nonce: newNonce(deps), content, now })
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
