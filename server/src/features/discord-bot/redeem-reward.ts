// Pays the press of a reward message's button, once per message, user and Discord account.

import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import type { PrivateAnswer } from '../../adapters/discord/bot.ts'
import type { Click } from '../../adapters/discord/interactions.ts'
import { invariant } from '../../shared/domain-error.ts'
import { DiscordFault } from '../../shared/far-side-faults.ts'
import { findTombstone, outsideAccounts } from '../account/leaving-tables.ts'
import { changeBalance, lockUser } from '../ledger/ledger-tables.ts'
import { answerTo, type ClickOutcome, nonceOf, type RewardOutcome } from './message-texts.ts'
import { recordMessage } from './send-post.ts'
import {
  isOfRemovedChannel,
  linkedUser,
  recordRedemption,
  redeemableMessage,
  rememberInteraction,
  rewardNamed,
} from './tables.ts'

/**
 * Pays the amount the message was posted with to the user who has linked the Discord account. A
 * message that is unknown, inactive or past its time has expired; one of a channel that is not on
 * the list any more says so first, so that nobody links an account for nothing.
 */
export async function redeemReward(
  deps: Deps,
  discordUserId: string,
  messageId: string,
): Promise<RewardOutcome> {
  const now = deps.clock.now()
  let paidUserId: number | undefined
  const outcome = await deps.db.transaction(async (tx): Promise<RewardOutcome> => {
    if (await isOfRemovedChannel(tx, messageId, now)) return { kind: 'removed' }
    const userId = await lockLinkedUser(tx, discordUserId, now)
    if (userId === 'blocked') return { kind: 'blocked' }
    if (userId === undefined) return { kind: 'not_linked' }
    const message = await redeemableMessage(tx, messageId, now)
    if (message === undefined) return { kind: 'expired' }
    const { postedAt, rewardAmount: amount } = message
    if (await hasLeftSince(deps, tx, userId, postedAt)) return { kind: 'already_claimed' }
    if (!(await recordRedemption(tx, { ...message, userId, discordUserId, now }))) {
      return { kind: 'already_claimed' }
    }
    const balance = await changeBalance(tx, {
      userId,
      amount,
      type: 'discord_reward',
      description: 'Discord reward',
      sourceType: 'discord_message',
      sourceId: messageId,
      now,
    })
    invariant(balance !== undefined, 'a reward does not break a balance')
    paidUserId = userId
    return { kind: 'paid', amount, balance }
  })
  if (paidUserId !== undefined) {
    deps.events.publish({ type: 'user_changed', userId: paidUserId })
    deps.events.publish({ type: 'leaderboard_changed' })
  }
  return outcome
}

/** The link is read again under the lock: it may have moved while the lock was waited for. */
async function lockLinkedUser(
  tx: Queryable,
  discordUserId: string,
  now: Date,
): Promise<number | 'blocked' | undefined> {
  const found = await linkedUser(tx, discordUserId, now)
  if (found === undefined || (await lockUser(tx, found.id)) === undefined) return undefined
  const locked = await linkedUser(tx, discordUserId, now)
  if (locked?.id !== found.id) return undefined
  return locked.isEarningBlocked ? 'blocked' : locked.id
}

/**
 * True when the owner of one of the user's outside accounts, the Twitch account as well as the
 * Discord account, has deleted an account here after the message was posted. What that account had
 * claimed is known to nobody any more, so it counts as claimed.
 */
async function hasLeftSince(
  { encryption }: Deps,
  tx: Queryable,
  userId: number,
  postedAt: Date,
): Promise<boolean> {
  for (const { provider, id } of await outsideAccounts(tx, userId)) {
    const tombstone = await findTombstone(tx, provider, encryption.fingerprints(provider, id))
    if (tombstone !== undefined && tombstone.leftAt >= postedAt) return true
  }
  return false
}

/** Pays the click when it can be paid, and says what became of it. Never throws. */
export async function handleClick(deps: Deps, click: Click): Promise<PrivateAnswer> {
  const outcome = await outcomeOf(deps, click).catch((error: unknown): ClickOutcome => {
    deps.log.error({ err: error }, 'a click on a reward message failed')
    return { kind: 'failed' }
  })
  return answerTo(outcome, deps.config.publicUrl)
}

/**
 * The post is found by the button and not by the message: a click may arrive before we have heard
 * from Discord what the message is called, and a message that was posted twice still pays once.
 */
async function outcomeOf(deps: Deps, click: Click): Promise<ClickOutcome> {
  const now = deps.clock.now()
  const isNew = await rememberInteraction(deps.db, click.interactionId, now)
  if (!isNew) return { kind: 'repeated' }
  const reward = await rewardNamed(deps.db, nonceOf(click.buttonId))
  if (reward === undefined || reward.channelId !== click.channelId) return { kind: 'unknown' }
  if (reward.messageId === null) await recordMessage(deps, reward, click.messageId)
  // Of a post that stands there twice the other message may be the recorded one.
  const recorded = reward.messageId ?? (await rewardNamed(deps.db, reward.nonce))?.messageId
  return redeemReward(deps, click.discordUserId, recorded ?? click.messageId)
}

/** Between tries of a late answer. */
const lateWaitsMillis = [500, 2_000, 8_000, 30_000, 60_000]

/**
 * Answers a press that was put off, again after faults that may pass: Discord may not even know the
 * press yet. @throws DiscordFault when it was given up
 */
export async function answerLate(
  deps: Deps,
  token: string,
  answer: PrivateAnswer,
  stopping: AbortSignal,
  [waitMillis, ...waits] = lateWaitsMillis,
): Promise<void> {
  try {
    await deps.discord.answerLater(token, answer)
  } catch (error) {
    const mayPass =
      error instanceof DiscordFault &&
      ['unknown', 'rate_limited', 'unreachable'].includes(error.kind)
    if (waitMillis === undefined || !mayPass) throw error
    await deps.clock.pause(waitMillis)
    if (stopping.aborted) throw error
    await answerLate(deps, token, answer, stopping, waits)
  }
}
