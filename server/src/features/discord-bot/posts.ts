// What the bot plans to post: rewards that are due and the log's checkpoint; and a test at the wish
// of staff.

import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import {
  dueSlot,
  expiryOfTest,
  postedRewardDefault,
  scheduleDefault,
} from '../../rules/post-schedule.ts'
import { DomainError, existing, Unavailable } from '../../shared/domain-error.ts'
import { DiscordFault } from '../../shared/far-side-faults.ts'
import { type StaffMember, targetOf } from '../../shared/staff-call.ts'
import { recordStaffAction } from '../audit/tables.ts'
import { newestCheckpoint } from '../fairness/checkpoint-tables.ts'
import { botProblem, stopBot } from '../outbox/bot-stop-tables.ts'
import { errorWords, isOfPlace, sendReward } from './send-post.ts'
import {
  channelsWithoutPost,
  findActiveChannel,
  forgetInteractions,
  isCheckpointPlanned,
  planCheckpoint,
  planReward,
  readSettings,
  rewardNamed,
} from './tables.ts'

/** 9 bytes make 18 characters: nobody guesses a button, and Discord takes 25 at most. */
const nonceBytes = 9

/** The name of a post towards Discord: 18 hexadecimal digits. */
function newNonce(deps: Deps): string {
  return deps.random.bytes(nonceBytes).toString('hex')
}

/** Older interactions are refused by their signed time, so they need no remembering. */
const interactionMillis = 3_600_000

/** Without a token, or with one that Discord has refused, nothing is planned. */
export async function planPosts(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  await forgetInteractions(deps.db, new Date(now.getTime() - interactionMillis))
  if (!deps.discord.hasToken || (await botProblem(deps)) !== undefined) return
  await planRewards(deps, now)
  await planLogPost(deps, now)
}

/** As saved, or as the bot is while nothing is. */
export async function currentSettings(db: Queryable) {
  const saved = await readSettings(db)
  const usual = { rewardAmount: postedRewardDefault, postSchedule: [...scheduleDefault] }
  const settings = saved ?? { ...usual, isActive: true, scheduledFrom: null }
  return { ...settings, isDefault: saved === undefined }
}

/**
 * The row of a slot and channel is unique, so any number of processes may plan at once and there is
 * still one post. A reward of 0 is not posted: there is nothing to claim.
 */
async function planRewards(deps: Deps, now: Date): Promise<void> {
  const { rewardAmount, isActive, postSchedule, scheduledFrom } = await currentSettings(deps.db)
  if (!isActive || rewardAmount === 0) return
  const due = dueSlot(postSchedule, now)
  if (due === undefined) return
  const { slot, expiresAt } = due
  if (scheduledFrom && slot < scheduledFrom) return
  for (const { serverId, channelId } of await channelsWithoutPost(deps.db, slot)) {
    const reward = { serverId, channelId, nonce: newNonce(deps), rewardAmount }
    await planReward(deps.db, { ...reward, slot, expiresAt, now })
  }
}

/** One post for each day in UTC, from the first checkpoint of the day that is there. */
async function planLogPost(deps: Deps, now: Date): Promise<void> {
  const channelId = deps.publicLog.discordChannelId
  const day = now.toISOString().slice(0, 10)
  if (channelId === undefined || (await isCheckpointPlanned(deps.db, day))) return
  const content = await contentOf(deps, day)
  if (content !== undefined) await planCheckpoint(deps.db, { day, channelId, content, now })
}

/** Discord takes 2,000 characters; cosignatures stay away when they would be too many. */
const noteMax = 1_700

async function contentOf(deps: Deps, day: string): Promise<string | undefined> {
  const newest = await newestCheckpoint(deps.db)
  if (newest === undefined) return undefined
  const note = newest.served.length <= noteMax ? newest.served : newest.note
  return (
    `Public log of draws, checkpoint of ${day}. Keep it: it tells later whether anything before ` +
    `it was changed (${deps.config.publicUrl}/fairness).\n\`\`\`\n${note}\`\`\``
  )
}

/**
 * Answers the id of the message, which pays like any other and is open for an hour.
 * @throws DomainError not_found for a channel that is not on the whitelist, service_unavailable
 * without a token, wrong_state while the reward is 0; Unavailable when Discord does not take the
 * post, saying why
 */
export async function sendTestClaim(
  deps: Deps,
  staff: StaffMember,
  channelId: string,
): Promise<string> {
  const channel = existing(
    await findActiveChannel(deps.db, channelId),
    'This channel is not on the list of servers',
  )
  if (!deps.discord.hasToken) {
    throw new DomainError('service_unavailable', 'The Discord bot has no token (DISCORD_BOT_TOKEN)')
  }
  const { rewardAmount } = await currentSettings(deps.db)
  if (rewardAmount === 0) {
    const why = 'The reward is 0 RedCoin, so there is nothing to claim. Set a higher one first.'
    throw new DomainError('wrong_state', why)
  }
  const now = deps.clock.now()
  const nonce = newNonce(deps)
  const { serverId } = channel
  const reward = { serverId, channelId, nonce, rewardAmount, expiresAt: expiryOfTest(now) }
  await planReward(deps.db, { ...reward, slot: null, now })
  return sendNow(deps, nonce, (tx) =>
    recordStaffAction(tx, {
      ...staff,
      action: 'discord.test_claim',
      ...targetOf('discord_channel', channelId),
      after: { rewardAmount },
      now,
    }),
  )
}

/**
 * It is not sent later, since whoever asked for it looks now, so it waits in no outbox. Tries
 * twice: an answer that got lost is found again by the second try.
 */
async function sendNow(
  deps: Deps,
  nonce: string,
  audit: (tx: Queryable) => Promise<void>,
  isSecond = false,
): Promise<string> {
  const reward = await rewardNamed(deps.db, nonce)
  if (reward === undefined) throw new Unavailable('The test message was not sent')
  try {
    return await sendReward(deps, reward, isSecond, audit)
  } catch (error) {
    if (!(error instanceof DiscordFault)) throw error
    if (error.kind === 'unreachable' && !isSecond) return sendNow(deps, nonce, audit, true)
    if (error.kind === 'token') await stopBot(deps)
    const { code, message } = error
    const words = isOfPlace(error)
      ? await errorWords(deps, reward.serverId, reward.channelId, message)
      : message
    throw new Unavailable(code === undefined ? words : `${words} (Discord error ${code})`, {
      cause: error,
    })
  }
}
