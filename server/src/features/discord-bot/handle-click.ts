// What happens when somebody presses the button of a reward message.

import type { Deps } from '../../adapters/deps.ts'
import type { PrivateAnswer } from '../../adapters/discord/bot.ts'
import type { Click } from '../../adapters/discord/interactions.ts'
import { rememberInteraction } from './closing-tables.ts'
import { answerTo, type ClickOutcome, nonceOf } from './message-texts.ts'
import { findPost } from './post-tables.ts'
import { redeemReward } from './redeem-reward.ts'
import { recordPost } from './send-post.ts'

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
  const nonce = nonceOf(click.buttonId)
  const post = nonce === undefined ? undefined : await findPost(deps.db, nonce)
  if (post === undefined || post.channelId !== click.channelId) return { kind: 'unknown' }
  if (post.state === 'failed') return { kind: 'expired' }
  if (post.messageId === null) await recordPost(deps, post, click.messageId)
  const messageId = post.messageId ?? (await findPost(deps.db, post.nonce))?.messageId
  if (messageId === undefined || messageId === null) return { kind: 'expired' }
  return redeemReward(deps, click.discordUserId, messageId)
}
