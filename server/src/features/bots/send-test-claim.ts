// Posts one reward message to a channel at the wish of staff, to see that everything works.

import type { Queryable } from '../../adapters/db/database.ts'
import type { World } from '../../adapters/world.ts'
import { DiscordFault } from '../../rules/discord-fault.ts'
import { expiryOfTest, postedRewardDefault } from '../../rules/post-schedule.ts'
import { Refusal, Unavailable } from '../../rules/refusal.ts'
import type { StaffMember } from '../../rules/staff-call.ts'
import { recordStaffAction } from '../audit/tables.ts'
import { stopBot } from './bot-stop.ts'
import { refusalWords } from './channel-words.ts'
import { newNonce } from './plan-posts.ts'
import { failPost, type PostRow, planPost, takePost } from './post-tables.ts'
import { leaseEnd, sendPost } from './send-post.ts'
import { findActiveChannel } from './server-tables.ts'
import { readSettings } from './settings-tables.ts'

/**
 * Answers the id of the message, which pays like any other and is open for an hour.
 * @throws Refusal not_found for a channel that is not on the whitelist, service_unavailable without
 * a token; Unavailable when Discord does not take the post, saying why
 */
export async function sendTestClaim(
  world: World,
  staff: StaffMember,
  channelId: string,
): Promise<string> {
  const channel = await findActiveChannel(world.db, channelId)
  if (channel === undefined) {
    throw new Refusal('not_found', 'This channel is not on the list of servers')
  }
  if (!world.discord.hasToken) {
    throw new Refusal('service_unavailable', 'The Discord bot has no token (DISCORD_BOT_TOKEN)')
  }
  const now = world.clock.now()
  const nonce = newNonce(world)
  const rewardAmount = (await readSettings(world.db))?.rewardAmount ?? postedRewardDefault
  const { serverId } = channel
  const expiresAt = expiryOfTest(now)
  const slot = `test:${nonce}`
  const post = { slot, serverId, channelId, nonce, rewardAmount, isTest: true, expiresAt }
  await planPost(world.db, post, now)
  return sendNow(world, nonce, (tx) =>
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
  world: World,
  nonce: string,
  audit: (tx: Queryable) => Promise<void>,
  isSecond = false,
): Promise<string> {
  const post = await takePost(world.db, nonce, leaseEnd(world.clock.now()))
  if (post === undefined) throw new Unavailable('The test message was not sent')
  try {
    return await sendPost(world, post, audit)
  } catch (error) {
    if (!(error instanceof DiscordFault)) throw error
    if (error.kind === 'unreachable' && !isSecond) return sendNow(world, nonce, audit, true)
    throw new Unavailable(await giveUp(world, post, error), { cause: error })
  }
}

/** A test is not sent later: whoever asked for it looks now. Answers the reason. */
async function giveUp(world: World, post: PostRow, fault: DiscordFault): Promise<string> {
  if (fault.kind === 'token') await stopBot(world)
  const isOfPlace = fault.kind === 'forbidden' || fault.kind === 'unknown'
  const words = isOfPlace
    ? await refusalWords(world, post.serverId, post.channelId, fault.message)
    : fault.message
  await failPost(world.db, post.id, words)
  return fault.code === undefined ? words : `${words} (Discord error ${fault.code})`
}
