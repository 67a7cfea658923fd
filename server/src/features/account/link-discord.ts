// Links a signed-in user with their Discord account, and takes the link away again.

import type { Queryable } from '../../adapters/db/database.ts'
import { sqlState } from '../../adapters/db/retry.ts'
import type { Deps } from '../../adapters/deps.ts'
import type { DiscordAccount, DiscordAccountLink } from '../../adapters/discord/account-link.ts'
import { oneLineName } from '../../rules/one-line-name.ts'
import { remember } from './leaving-tables.ts'
import { finishAttempt } from './provider-attempt.ts'
import { restoreEarningBlock } from './restore-earning-block.ts'
import type { ProviderCallback } from './sign-in-with-twitch.ts'
import { type LinkedAccount, lockDiscordLink, updateDiscord } from './tables.ts'

const uniqueViolation = '23505'

/** How linking ended; the profile page has a sentence for each. */
export type LinkOutcome = 'connected' | 'taken' | 'failed'

/**
 * Links the account that Discord names. The callback must belong to the same user as the start, or
 * an attacker could have a victim's browser finish the attacker's linking.
 */
export async function linkDiscord(
  deps: Deps,
  discord: DiscordAccountLink,
  userId: number,
  callback: ProviderCallback,
): Promise<LinkOutcome> {
  const { code, error, redirectUri, state, browserToken } = callback
  const attempt = await finishAttempt(deps, 'discord', state, browserToken)
  if (attempt === undefined || attempt.userId !== userId) return 'failed'
  if (error !== undefined || code === undefined) return 'failed'
  let account: DiscordAccount
  try {
    account = await discord.identify(code, redirectUri)
  } catch (failure) {
    deps.log.warn({ err: failure }, 'Discord link failed')
    return 'failed'
  }
  try {
    const username = oneLineName(account.username) ?? account.id
    await deps.db.transaction(async (tx) => {
      await replaceLink(deps, tx, userId, { ...account, username })
      await restoreEarningBlock(deps, tx, userId, { provider: 'discord', id: account.id })
    })
  } catch (failure) {
    if (sqlState(failure) === uniqueViolation) return 'taken'
    throw failure
  }
  deps.events.publish({ type: 'user_changed', userId })
  return 'connected'
}

/** Takes the link away; does nothing when there is none. */
export async function unlinkDiscord(deps: Deps, userId: number): Promise<void> {
  const nothing = { id: null, username: null, avatar: null }
  await deps.db.transaction((tx) => replaceLink(deps, tx, userId, nothing))
  deps.events.publish({ type: 'user_changed', userId })
}

/**
 * An account that somebody who is blocked gives up is remembered like one whose owner has left, or
 * it would earn again under another user.
 */
async function replaceLink(
  { clock, encryption }: Deps,
  tx: Queryable,
  userId: number,
  account: LinkedAccount,
): Promise<void> {
  const before = await lockDiscordLink(tx, userId)
  const now = clock.now()
  const given = before?.discordId ?? null
  if (before?.isEarningBlocked === true && given !== null && given !== account.id) {
    const mark = encryption.fingerprint('discord', given)
    await remember(tx, 'discord', mark, { leftAt: now, isEarningBlocked: true })
  }
  await updateDiscord(tx, userId, account, now)
}
