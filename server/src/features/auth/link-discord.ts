// Links a signed-in user with their Discord account, and takes the link away again.

import { sqlState } from '../../adapters/db/retry.ts'
import type { DiscordAccount, DiscordAccountLink } from '../../adapters/discord/account-link.ts'
import type { World } from '../../adapters/world.ts'
import { finishAttempt } from './provider-attempt.ts'
import type { ProviderCallback } from './sign-in-with-twitch.ts'
import { updateDiscord } from './tables.ts'

const uniqueViolation = '23505'

/** How linking ended; the profile page has a sentence for each. */
export type LinkOutcome = 'connected' | 'taken' | 'failed'

/**
 * Links the account that Discord names. The callback must belong to the same user as the start, or
 * an attacker could have a victim's browser finish the attacker's linking.
 */
export async function linkDiscord(
  world: World,
  discord: DiscordAccountLink,
  userId: number,
  callback: ProviderCallback,
): Promise<LinkOutcome> {
  const { code, error, redirectUri, state, browserToken } = callback
  const attempt = await finishAttempt(world, 'discord', state, browserToken)
  if (attempt === undefined || attempt.userId !== userId) return 'failed'
  if (error !== undefined || code === undefined) return 'failed'
  let account: DiscordAccount
  try {
    account = await discord.identify(code, redirectUri)
  } catch (failure) {
    world.log.warn({ err: failure }, 'Discord link failed')
    return 'failed'
  }
  try {
    await updateDiscord(world.db, userId, account, world.clock.now())
  } catch (failure) {
    if (sqlState(failure) === uniqueViolation) return 'taken'
    throw failure
  }
  world.events.publish({ type: 'user_changed', userId })
  return 'connected'
}

/** Takes the link away; does nothing when there is none. */
export async function unlinkDiscord(world: World, userId: number): Promise<void> {
  const nothing = { id: null, username: null, avatar: null }
  await updateDiscord(world.db, userId, nothing, world.clock.now())
  world.events.publish({ type: 'user_changed', userId })
}
