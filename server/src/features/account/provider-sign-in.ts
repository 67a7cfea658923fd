// The way to a provider and back: signs somebody in whom Twitch vouches for, and links a signed-in
// user with their Discord account.

import { oneLineName } from '@redpack/contract/names'
import type { Queryable } from '../../adapters/db/database.ts'
import { sqlState } from '../../adapters/db/retry.ts'
import type { Deps } from '../../adapters/deps.ts'
import type { DiscordAccount, DiscordAccountLink } from '../../adapters/discord/account-link.ts'
import type { TwitchIdentity, TwitchPerson } from '../../adapters/twitch/identity.ts'
import { endless, type Role } from '../../rules/roles.ts'
import { signInContext } from '../../shared/sealed-text.ts'
import { targetOf } from '../../shared/staff-call.ts'
import { recordStaffAction } from '../audit/tables.ts'
import { endDiscordMessages } from '../outbox/address-tables.ts'
import {
  findTombstone,
  type OutsideAccount,
  outsideAccounts,
  remember,
  type Tombstone,
} from './leaving-tables.ts'
import { sessionKind } from './session-lifetime.ts'
import { announceSession, type OpenedSession, openSession } from './sessions.ts'
import { hiddenName, judgeNewNames, putShownName, putSuspension } from './standing-tables.ts'
import {
  clocksApartMillis,
  deleteExpiredAttempts,
  findByDiscordId,
  insertAttempt,
  insertTwitchUser,
  keepSignIn,
  type LinkedAccount,
  lockAccountRow,
  lockDiscordLink,
  type PlatformPerson,
  type Provider,
  refreshTwitchUser,
  setEarningBlock,
  takeSignInAttempt,
  updateDiscord,
} from './tables.ts'
import { newToken, tokenHash } from './tokens.ts'

const attemptSeconds = 600

/** Starts an attempt. A browser with several attempts under way keeps one token for all of them. */
export async function startAttempt(
  deps: Deps,
  provider: Provider,
  browser: { readonly token: string | undefined; readonly userId?: number },
) {
  const now = deps.clock.now()
  const state = newToken(deps.random)
  const nonce = newToken(deps.random)
  // Goes into a cookie: the callback counts only in the browser that has it.
  const browserToken = browser.token || newToken(deps.random)
  await deleteExpiredAttempts(deps.db, now)
  await insertAttempt(deps.db, {
    stateHash: tokenHash(state),
    provider,
    browserHash: tokenHash(browserToken),
    nonce,
    userId: browser.userId ?? null,
    expiresAt: new Date(now.getTime() + attemptSeconds * 1000),
  })
  return { state, nonce, browserToken }
}

/**
 * Ends an attempt: each state counts once, for 10 minutes, for one provider and in one browser.
 * Answers undefined when any of that does not hold.
 */
export async function finishAttempt(
  deps: Deps,
  provider: Provider,
  state: string | undefined,
  browserToken: string | undefined,
): Promise<{ readonly nonce: string; readonly userId: number | null } | undefined> {
  if (state === undefined) return undefined
  const attempt = await takeSignInAttempt(deps.db, provider, tokenHash(state))
  if (attempt === undefined || browserToken === undefined) return undefined
  if (attempt.browserHash !== tokenHash(browserToken)) return undefined
  if (attempt.expiresAt <= deps.clock.now()) return undefined
  return { nonce: attempt.nonce, userId: attempt.userId }
}

/** What the product does by itself to a user, for the log of staff actions. */
const recordOwnAction = (
  tx: Queryable,
  userId: number,
  now: Date,
  entry: { action: string; before?: unknown; after?: unknown; reason: string },
) => {
  const by = { actorId: null, requestId: null }
  return recordStaffAction(tx, { ...by, ...targetOf('user', userId), ...entry, now })
}

const tombstoneOf = (
  { encryption }: Pick<Deps, 'encryption'>,
  tx: Queryable,
  { provider, id }: OutsideAccount,
) => findTombstone(tx, provider, encryption.fingerprints(provider, id))

/**
 * A block, a suspension and a hidden name stay with the outside account: who leaves with one has it
 * again when they come back, until staff lift it or its time is over. Nothing comes to a protected
 * account, and no name comes with Discord.
 */
async function restoreStanding(
  tx: Queryable,
  userId: number,
  provider: OutsideAccount['provider'],
  tombstone: Tombstone | undefined,
  now: Date,
): Promise<void> {
  if (tombstone === undefined) return
  const account = await lockAccountRow(tx, userId)
  if (account === undefined || account.isProtected) return
  const owner = `The owner of this ${provider === 'twitch' ? 'Twitch' : 'Discord'} account was`
  if (tombstone.isEarningBlocked && !account.isEarningBlocked) {
    await setEarningBlock(tx, userId, true, now)
    const said = { before: { isEarningBlocked: false }, after: { isEarningBlocked: true } }
    const reason = `${owner} blocked before`
    await recordOwnAction(tx, userId, now, { action: 'earning.block', ...said, reason })
  }
  const { suspendedUntil: until } = tombstone
  if (until !== null && until > now && until > (account.suspendedUntil ?? now)) {
    const reason = `${owner} suspended before`
    await putSuspension(tx, userId, until, reason, now)
    const after = { until: until < endless ? until.toISOString() : null }
    await recordOwnAction(tx, userId, now, { action: 'suspension.set', after, reason })
  }
  if (tombstone.isNameHidden && provider === 'twitch') {
    const shownName = hiddenName(userId)
    // Flagged, since it may be another name by now that nobody has looked at.
    await putShownName(tx, userId, shownName, true, now)
    const reason = `The name of this Twitch account's owner was hidden before`
    await recordOwnAction(tx, userId, now, { action: 'name.hide', after: { shownName }, reason })
  }
}

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
  const newId = await insertTwitchUser(tx, { ...platform, now })
  if (newId === undefined) {
    const user = await refreshTwitchUser(tx, { ...platform, now })
    if (user?.isRenamed === true) await judge(tx, user.id, now)
    return user
  }
  // Who has left and comes back starts anew, without what newcomers are given.
  const tombstone = await tombstoneOf(deps, tx, { provider: 'twitch', id: person.id })
  if (tombstone === undefined) await onFirstSignIn(deps, tx, newId)
  await judge(tx, newId, now)
  await restoreStanding(tx, newId, 'twitch', tombstone, now)
  return { id: newId, role: 'user' }
}

async function judge(tx: Queryable, userId: number, now: Date): Promise<void> {
  const hiding = await judgeNewNames(tx, userId, now)
  if (hiding !== undefined) await recordStaffAction(tx, hiding)
}

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
    const isLinked = await deps.db.transaction(async (tx) => {
      if (!(await replaceLink(deps, tx, userId, { ...account, username }))) return false
      const tombstone = await tombstoneOf(deps, tx, { provider: 'discord', id: account.id })
      await restoreStanding(tx, userId, 'discord', tombstone, deps.clock.now())
      return true
    })
    if (!isLinked) return 'failed'
  } catch (failure) {
    if (sqlState(failure) === uniqueViolation) return 'taken'
    throw failure
  }
  deps.events.publish({ type: 'user_changed', userId })
  return 'connected'
}

const nothing = { id: null, username: null, avatar: null }

/** Takes the link away; does nothing when there is none. */
export async function unlinkDiscord(deps: Deps, userId: number): Promise<void> {
  await deps.db.transaction((tx) => replaceLink(deps, tx, userId, nothing))
  deps.events.publish({ type: 'user_changed', userId })
}

/** Ends the link of a Discord account whose owner has withdrawn it there, unless it is newer. */
export async function withdrawDiscord(deps: Deps, discordId: string, at: Date): Promise<void> {
  const now = deps.clock.now()
  const userId = await deps.db.transaction(async (tx) => {
    const found = await findByDiscordId(tx, discordId)
    const link = found === undefined ? undefined : await lockDiscordLink(tx, found)
    if (found === undefined || link?.discordId !== discordId) return undefined
    const linkedMillis = link.linkedAt?.getTime() ?? 0
    if (linkedMillis > at.getTime() + clocksApartMillis) return undefined
    await replaceLink(deps, tx, found, nothing)
    const reason = 'Withdrawn in Discord'
    await recordOwnAction(tx, found, now, { action: 'discord.unlink', reason })
    return found
  })
  if (userId !== undefined) deps.events.publish({ type: 'user_changed', userId })
}

/**
 * An account that somebody who is blocked or suspended gives up is remembered like one whose owner
 * has left, or it would earn again under another user. False for whoever has left meanwhile.
 */
async function replaceLink(deps: Deps, tx: Queryable, userId: number, account: LinkedAccount) {
  const before = await lockDiscordLink(tx, userId)
  if (before === undefined) return false
  const now = deps.clock.now()
  const { discordId: given, isEarningBlocked, suspendedUntil } = before
  const isToRemember = isEarningBlocked || (suspendedUntil !== null && suspendedUntil > now)
  if (isToRemember && given !== null && given !== account.id) {
    const accounts = await outsideAccounts(tx, userId)
    const left = [{ provider: 'discord', id: given }] as const
    const stood = { leftAt: now, isEarningBlocked, suspendedUntil, isNameHidden: false }
    await remember(tx, deps.encryption, { accounts, left }, stood)
  }
  await updateDiscord(tx, { ...account, userId, now })
  if (given !== account.id) await endDiscordMessages(tx, userId)
  return true
}
