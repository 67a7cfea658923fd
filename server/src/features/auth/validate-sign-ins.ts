// Asks Twitch every hour whether people who signed in still allow it, as Twitch demands of
// applications that keep sessions (dev.twitch.tv/docs/authentication/validate-tokens).

import type { TokenPair } from '../../adapters/twitch/token-service.ts'
import type { World } from '../../adapters/world.ts'
import { signInPlace } from '../../rules/sealed-places.ts'
import {
  endSignIn,
  noteSignInChecked,
  removeUnusedSignIns,
  replaceSignInTokens,
  type StoredSignIn,
  signInsToCheck,
} from './sign-in-tables.ts'

/** Less than an hour by as much as a run of the job may be late. */
const checkedForMillis = 55 * 60_000
const batchMax = 200
const atOnce = 4

/**
 * Checks every sign-in that is due. Who has withdrawn is signed out everywhere; when Twitch does
 * not answer, nobody is, and the next run asks again. Tokens that cannot be opened say nothing
 * about what Twitch thinks: who has them stays signed in, and is looked at again an hour later.
 * @throws TwitchFault when Twitch did not answer for all of them
 */
export async function validateSignIns(world: World): Promise<void> {
  if (!world.twitch.isConfigured) return
  await removeUnusedSignIns(world.db)
  const before = new Date(world.clock.now().getTime() - checkedForMillis)
  const due = await signInsToCheck(world.db, before, batchMax)
  for (let at = 0; at < due.length; at += atOnce) {
    const group = due.slice(at, at + atOnce)
    const results = await Promise.allSettled(group.map((signIn) => check(world, signIn)))
    const failed = results.find((result) => result.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }
}

async function check(world: World, signIn: StoredSignIn): Promise<void> {
  const tokens = openTokens(world, signIn)
  if (tokens === undefined) return noteSignInChecked(world.db, signIn, world.clock.now())
  const facts = await world.twitch.tokens.validate(tokens.accessToken)
  const now = world.clock.now()
  if (facts !== undefined) {
    return facts.userId === signIn.twitchId
      ? noteSignInChecked(world.db, signIn, now)
      : end(world, signIn)
  }
  const fresh = await refreshed(world, tokens)
  if (fresh === undefined) return end(world, signIn)
  const sealed = world.encryption.seal(JSON.stringify(fresh), signInPlace(signIn.userId))
  return replaceSignInTokens(world.db, signIn, sealed, now)
}

/** Undefined when another key has sealed the tokens, or their row was damaged. */
function openTokens(world: World, { userId, tokens }: StoredSignIn): TokenPair | undefined {
  const text = world.encryption.open(tokens, signInPlace(userId))
  return text === undefined ? undefined : (JSON.parse(text) as TokenPair)
}

async function refreshed(world: World, tokens: TokenPair): Promise<TokenPair | undefined> {
  const { clientId } = world.twitch
  if (tokens.refreshToken === undefined || clientId === undefined) return undefined
  const fresh = await world.twitch.tokens.refresh(clientId, tokens.refreshToken)
  return fresh && { accessToken: fresh.accessToken, refreshToken: fresh.refreshToken }
}

async function end(world: World, signIn: StoredSignIn): Promise<void> {
  const { userId } = signIn
  if (!(await world.db.transaction((tx) => endSignIn(tx, signIn)))) return
  world.log.info({ event: 'twitch_sign_in_ended', userId }, 'Twitch no longer vouches for a user')
  world.events.publish({ type: 'sessions_ended', userId })
}
