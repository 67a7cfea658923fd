// Signs somebody in whom Twitch vouches for, and makes their user the first time.

import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import type { TwitchIdentity, TwitchPerson } from '../../adapters/twitch/identity.ts'
import { oneLineName } from '../../rules/one-line-name.ts'
import type { Role } from '../../rules/roles.ts'
import { signInContext } from '../../shared/sealed-contexts.ts'
import { findTombstone } from './leaving-tables.ts'
import { announceSession, type OpenedSession, openSession } from './open-session.ts'
import { finishAttempt } from './provider-attempt.ts'
import { restoreEarningBlock } from './restore-earning-block.ts'
import { sessionKind } from './session-lifetime.ts'
import { keepSignIn } from './sign-in-tables.ts'
import { insertTwitchUser, type PlatformPerson, refreshTwitchUser } from './tables.ts'

/** What else happens when somebody signs in for the first time, in the same transaction. */
export type OnFirstSignIn = (deps: Deps, tx: Queryable, userId: number) => Promise<void>

export interface ProviderCallback {
  readonly code?: string | undefined
  readonly state?: string | undefined
  readonly error?: string | undefined
  readonly redirectUri: string
  readonly browserToken: string | undefined
  /** The session token that the browser has until now. */
  readonly sessionToken: string | undefined
}

/** Why nobody was signed in; the landing page has a sentence for each. */
export type SignInFailure = 'denied' | 'state' | 'provider'

/** Answers the session, or why there is none. Only a fault of our own is thrown. */
export async function signInWithTwitch(
  deps: Deps,
  twitch: TwitchIdentity,
  callback: ProviderCallback,
  onFirstSignIn: OnFirstSignIn,
): Promise<OpenedSession | SignInFailure> {
  const { code, error, redirectUri } = callback
  const attempt = await finishAttempt(deps, 'twitch', callback.state, callback.browserToken)
  if (error === 'access_denied') return 'denied'
  if (attempt === undefined) return 'state'
  if (error !== undefined || code === undefined) return 'provider'
  let person: TwitchPerson
  try {
    person = await twitch.identify(code, { redirectUri, nonce: attempt.nonce })
  } catch (failure) {
    deps.log.warn({ err: failure }, 'Twitch sign-in failed')
    return 'provider'
  }
  const session = await deps.db.transaction(async (tx) => {
    const user = await userOf(deps, tx, person, onFirstSignIn)
    if (user === undefined) return undefined
    const tokens = JSON.stringify(person.tokens)
    const sealed = deps.encryption.seal(tokens, signInContext(user.id))
    await keepSignIn(tx, user.id, sealed, deps.clock.now())
    const who = { userId: user.id, kind: sessionKind(user.role) }
    return openSession(deps, tx, who, callback.sessionToken)
  })
  if (session === undefined) return 'denied'
  announceSession(deps, session)
  return session
}

/** The user of a person; undefined when it was deleted. Two first sign-ins at once make one. */
async function userOf(
  deps: Deps,
  tx: Queryable,
  person: TwitchPerson,
  onFirstSignIn: OnFirstSignIn,
): Promise<{ id: number; role: Role } | undefined> {
  const now = deps.clock.now()
  const platform: PlatformPerson = {
    twitchId: person.id,
    username: person.login,
    displayName: oneLineName(person.displayName) ?? person.login,
    email: person.email ?? null,
    avatar: person.avatar ?? null,
  }
  const newId = await insertTwitchUser(tx, platform, now)
  if (newId === undefined) return refreshTwitchUser(tx, platform, now)
  // Who has left and comes back starts anew, without what newcomers are given.
  const marks = deps.encryption.fingerprints('twitch', person.id)
  if ((await findTombstone(tx, 'twitch', marks)) === undefined) {
    await onFirstSignIn(deps, tx, newId)
  }
  await restoreEarningBlock(deps, tx, newId, { provider: 'twitch', id: person.id })
  return { id: newId, role: 'user' }
}
