// Asks Twitch every hour about the bot's token, so that staff learn of trouble before viewers do.

import type { World } from '../../adapters/world.ts'
import { expiryOf, refreshBot } from './bot-access.ts'
import { readCredentials, writeTokenCheck } from './credentials-tables.ts'
import { openTokens } from './sealed-tokens.ts'

const checkedForMillis = 55 * 60_000
const renewBeforeMillis = 15 * 60_000

/**
 * Tokens that cannot be opened are left as they are.
 * @throws TwitchFault when Twitch does not answer; then nothing has changed
 */
export async function checkBot(world: World): Promise<void> {
  const stored = await readCredentials(world.db)
  if (stored?.isActive !== true) return
  const now = world.clock.now()
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
  const tokens = openTokens(world, stored)
  if (tokens === undefined) return
  const facts = isEnding ? undefined : await world.twitch.tokens.validate(tokens.access)
  if (facts === undefined || facts.userId !== stored.botUserId) {
    await refreshBot(world, stored)
    return
  }
  const expiresAt = expiryOf(facts.expiresInSeconds, now)
  const scopes = facts.scopes.join(' ')
  await writeTokenCheck(world.db, stored.accessToken, { scopes, expiresAt }, now)
}
