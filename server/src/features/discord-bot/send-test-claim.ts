// Posts one reward message to a channel at the wish of staff, to see that everything works.

import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import { expiryOfTest, postedRewardDefault } from '../../rules/post-schedule.ts'
import { DiscordFault } from '../../shared/discord-fault.ts'
import { DomainError, Unavailable } from '../../shared/domain-error.ts'
import type { StaffMember } from '../../shared/staff-call.ts'
import { recordStaffAction } from '../audit/tables.ts'
import { stopBot } from './bot-stop.ts'
import { errorWords } from './channel-words.ts'
import { newNonce } from './plan-posts.ts'
import { failPost, type PostRow, planPost, takePost } from './post-tables.ts'
import { leaseEnd, sendPost } from './send-post.ts'
import { findActiveChannel } from './server-tables.ts'
import { readSettings } from './settings-tables.ts'

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
  await planPost(deps.db, post, now)
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
