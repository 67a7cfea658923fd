// Paying a claim on a reward message of the chat bot, once per message, user and Discord account.

import type { Queryable } from '../../adapters/db/database.ts'
import type { World } from '../../adapters/world.ts'
import { invariant } from '../../rules/refusal.ts'
import { changeBalance, lockUser } from '../ledger/tables.ts'
import { leftAt } from '../privacy/tables.ts'
import { claimableMessage, linkedUser, recordRewardClaim } from './tables.ts'

/** What became of a click; the bot has a sentence for each. */
export type RewardOutcome =
  | { readonly kind: 'paid'; readonly amount: number; readonly balance: number }
  | { readonly kind: 'not_linked' | 'expired' | 'already_claimed' | 'blocked' }

/**
 * Pays the amount the message was posted with to the user who has linked the Discord account. A
 * message that is unknown, inactive, past its time or of a server that is not on the list has
 * expired.
 */
export async function claimReward(
  world: World,
  discordUserId: string,
  messageId: string,
): Promise<RewardOutcome> {
  const now = world.clock.now()
  let paidUserId: number | undefined
  const outcome = await world.db.transaction(async (tx): Promise<RewardOutcome> => {
    const userId = await lockLinkedUser(tx, discordUserId)
    if (userId === 'blocked') return { kind: 'blocked' }
    if (userId === undefined) return { kind: 'not_linked' }
    const message = await claimableMessage(tx, messageId, now)
    if (message === undefined) return { kind: 'expired' }
    const { postedAt, rewardAmount: amount } = message
    if (await hasLeftSince(world, tx, discordUserId, postedAt)) return { kind: 'already_claimed' }
    if (!(await recordRewardClaim(tx, message, { userId, discordUserId }, now))) {
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
    world.events.publish({ type: 'user_changed', userId: paidUserId })
    world.events.publish({ type: 'leaderboard_changed' })
  }
  return outcome
}

/** The link is read again under the lock: it may have moved while the lock was waited for. */
async function lockLinkedUser(
  tx: Queryable,
  discordUserId: string,
): Promise<number | 'blocked' | undefined> {
  const found = await linkedUser(tx, discordUserId)
  if (found === undefined || (await lockUser(tx, found.id)) === undefined) return undefined
  const locked = await linkedUser(tx, discordUserId)
  if (locked?.id !== found.id) return undefined
  return locked.isEarningBlocked ? 'blocked' : locked.id
}

/**
 * True when the owner of the Discord account has deleted an account here after the message was
 * posted. What that account had claimed is known to nobody any more, so it counts as claimed.
 */
async function hasLeftSince(
  world: World,
  tx: Queryable,
  discordUserId: string,
  postedAt: Date,
): Promise<boolean> {
  const marks = world.encryption.fingerprints('discord', discordUserId)
  const left = await leftAt(tx, 'discord', marks)
  return left !== undefined && left >= postedAt
}
