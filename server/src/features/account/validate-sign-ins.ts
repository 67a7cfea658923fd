// Asks Twitch every hour whether people who signed in still allow it, as Twitch demands of
// applications that keep sessions (dev.twitch.tv/docs/authentication/validate-tokens).

import type { Deps } from '../../adapters/deps.ts'
import type { TokenPair } from '../../adapters/twitch/twitch-api.ts'
import { signInContext } from '../../shared/sealed-text.ts'
import {
  deleteEndedSessions,
  deleteExpiredAttempts,
  deleteExpiredSessions,
  endSignIn,
  noteSignInChecked,
  removeUnusedSignIns,
  replaceSignInTokens,
  type StoredSignIn,
  signInsToCheck,
} from './tables.ts'

/** Less than an hour by as much as a run of the job may be late. */
const checkedForMillis = 55 * 60_000
/** Less than a minute, after which the next run comes. */
const runMillisMax = 50_000
const atOnce = 4

/**
 * Checks every sign-in that is due. Who has withdrawn is signed out everywhere; when Twitch does
 * not answer, nobody is, and the next run asks again. Tokens that cannot be opened say nothing
 * about what Twitch thinks: who has them stays signed in, and is looked at again an hour later.
 * @throws TwitchFault when Twitch did not answer for all of them
 */
export async function validateSignIns(deps: Deps, stopping?: AbortSignal): Promise<void> {
  if (!deps.twitch.isConfigured) return
  await removeUnusedSignIns(deps.db, new Date(deps.clock.now().getTime() - 60_000))
  const before = new Date(deps.clock.now().getTime() - checkedForMillis)
  const enough = AbortSignal.timeout(runMillisMax)
  while (!enough.aborted && stopping?.aborted !== true) {
    const due = await signInsToCheck(deps.db, before, atOnce)
    if (due.length === 0) return
    const results = await Promise.allSettled(due.map((signIn) => check(deps, signIn)))
    const failed = results.find((result) => result.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }
}

async function check(deps: Deps, signIn: StoredSignIn): Promise<void> {
  const tokens = openTokens(deps, signIn)
  if (tokens === undefined) return noteSignInChecked(deps.db, { ...signIn, now: deps.clock.now() })
  const facts = await deps.twitch.tokens.validate(tokens.accessToken)
  const now = deps.clock.now()
  if (facts !== undefined) {
    return facts.userId === signIn.twitchId
      ? noteSignInChecked(deps.db, { ...signIn, now })
      : end(deps, signIn)
  }
  const fresh = await refreshed(deps, tokens)
  if (fresh === undefined) return end(deps, signIn)
  const sealed = deps.encryption.seal(JSON.stringify(fresh), signInContext(signIn.userId))
  return replaceSignInTokens(deps.db, { ...signIn, fresh: sealed, now })
}

/** Undefined when another key has sealed the tokens, or their row was damaged. */
function openTokens(deps: Deps, { userId, tokens }: StoredSignIn): TokenPair | undefined {
  const text = deps.encryption.open(tokens, signInContext(userId))
  return text === undefined ? undefined : (JSON.parse(text) as TokenPair)
}

async function refreshed(deps: Deps, tokens: TokenPair): Promise<TokenPair | undefined> {
  const { clientId } = deps.twitch
  if (tokens.refreshToken === undefined || clientId === undefined) return undefined
  const fresh = await deps.twitch.tokens.refresh(clientId, tokens.refreshToken)
  return fresh && { accessToken: fresh.accessToken, refreshToken: fresh.refreshToken }
}

async function end(deps: Deps, signIn: StoredSignIn): Promise<void> {
  const { userId } = signIn
  if (!(await deps.db.transaction((tx) => endSignIn(tx, signIn)))) return
  deps.log.info({ event: 'twitch_sign_in_ended', userId }, 'Twitch no longer vouches for a user')
  deps.events.publish({ type: 'sessions_ended', userId })
}

const batchesMax = 100

/** May run at any time and as often as one likes. */
export async function clearExpired({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  const removals = [
    () => deleteExpiredSessions(db, now),
    () => deleteExpiredAttempts(db, now),
    () => deleteEndedSessions(db),
  ]
  for (const remove of removals) {
    for (let batch = 0; batch < batchesMax && (await remove()) > 0; batch += 1);
  }
}
