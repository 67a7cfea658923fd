// Paying a claim on a reward message of the chat bot, once per message, user and Discord account.

import type { World } from '../../adapters/world.ts'
import { invariant } from '../../rules/refusal.ts'
import { changeBalance, lockUser } from '../ledger/tables.ts'
import { claimableMessage, linkedUserId, recordRewardClaim } from './tables.ts'

/** What became of a click; the bot has a sentence for each. */
export type RewardOutcome =
  | { readonly kind: 'paid'; readonly amount: number; readonly balance: number }
  | { readonly kind: 'not_linked' | 'expired' | 'already_claimed' }

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
    const userId = await linkedUserId(tx, discordUserId)
    if (userId === undefined || (await lockUser(tx, userId)) === undefined) {
      return { kind: 'not_linked' }
    }
    const message = await claimableMessage(tx, messageId, now)
    if (message === undefined) return { kind: 'expired' }
    if (!(await recordRewardClaim(tx, message, { userId, discordUserId }, now))) {
      return { kind: 'already_claimed' }
    }
    const amount = message.rewardAmount
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
