// Asks Twitch every hour about the bot's token, so that staff learn of trouble before viewers do.

import type { Deps } from '../../adapters/deps.ts'
import { expiryOf, refreshBot } from './bot-access.ts'
import { readCredentials, writeTokenCheck } from './credentials-tables.ts'
import { openTokens } from './sealed-tokens.ts'

const checkedForMillis = 55 * 60_000
const renewBeforeMillis = 15 * 60_000

/**
 * Tokens that cannot be opened are left as they are.
 * @throws TwitchFault when Twitch does not answer; then nothing has changed
 */
export async function checkBot(deps: Deps): Promise<void> {
  const stored = await readCredentials(deps.db)
  if (stored?.isActive !== true) return
  const now = deps.clock.now()
  const { checkedAt } = stored
  const isDue =
    stored.problem === 'unchecked' ||
    checkedAt === null ||
    now.getTime() - checkedAt.getTime() >= checkedForMillis
  const isEnding =
    stored.refreshToken !== null &&
    stored.expiresAt !== null &&
    stored.expiresAt.getTime() - now.getTime() <= renewBeforeMillis
  if (!isDue && !isEnding) return
  const tokens = openTokens(deps, stored)
  if (tokens === undefined) return
  const facts = isEnding ? undefined : await deps.twitch.tokens.validate(tokens.access)
  if (facts === undefined || facts.userId !== stored.botUserId) {
    await refreshBot(deps, stored)
    return
  }
  const expiresAt = expiryOf(facts.expiresInSeconds, now)
  const scopes = facts.scopes.join(' ')
  await writeTokenCheck(deps.db, stored.accessToken, { scopes, expiresAt }, now)
}
