// What happens when somebody presses the button of a reward message.

import type { PrivateAnswer } from '../../adapters/discord/bot.ts'
import type { Click } from '../../adapters/discord/interactions.ts'
import type { World } from '../../adapters/world.ts'
import { claimReward } from './claim-reward.ts'
import { rememberInteraction } from './closing-tables.ts'
import { answerTo, type ClickOutcome, nonceOf } from './message-texts.ts'
import { findPost } from './post-tables.ts'
import { recordPost } from './send-post.ts'

/** Pays the click when it can be paid, and says what became of it. Never throws. */
export async function handleClick(world: World, click: Click): Promise<PrivateAnswer> {
  const outcome = await outcomeOf(world, click).catch((error: unknown): ClickOutcome => {
    world.log.error({ err: error }, 'a click on a reward message failed')
    return { kind: 'failed' }
  })
  return answerTo(outcome, world.config.publicUrl)
}

/**
 * The post is found by the button and not by the message: a click may arrive before we have heard
 * from Discord what the message is called, and a message that was posted twice still pays once.
 */
async function outcomeOf(world: World, click: Click): Promise<ClickOutcome> {
  const now = world.clock.now()
  const isNew = await rememberInteraction(world.db, click.interactionId, now)
  if (!isNew) return { kind: 'repeated' }
  const nonce = nonceOf(click.buttonId)
  const post = nonce === undefined ? undefined : await findPost(world.db, nonce)
  if (post === undefined || post.channelId !== click.channelId) return { kind: 'unknown' }
  if (post.state === 'failed') return { kind: 'expired' }
  if (post.messageId === null) await recordPost(world, post, click.messageId)
  const messageId = post.messageId ?? (await findPost(world.db, post.nonce))?.messageId
  if (messageId === undefined || messageId === null) return { kind: 'expired' }
  return claimReward(world, click.discordUserId, messageId)
}
