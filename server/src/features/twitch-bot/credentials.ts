// Saves, shows, checks and removes the bot's credentials; nobody ever sees a whole token again.

import {
  type botStates,
  adminBotsContract as contract,
  type SaveBotCredentialsRequest,
} from '@redpack/contract'
import type { Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import { command, withAnswer, withSentence } from '../../adapters/http/command.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import type { TokenFacts } from '../../adapters/twitch/twitch-api.ts'
import { DomainError, existing, invariant, wrongField } from '../../shared/domain-error.ts'
import { TwitchFault } from '../../shared/far-side-faults.ts'
import { targetOf } from '../../shared/staff-call.ts'
import {
  expiryOf,
  isForOthers,
  type OpenTokens,
  openTokens,
  readScope,
  refreshBot,
  sealToken,
  sendScope,
} from './bot.ts'
import {
  lockCredentials,
  readCredentials,
  removeCredentials,
  type StoredCredentials,
  saveCredentials,
  writeRefreshedTokens,
  writeTokenCheck,
} from './tables.ts'

export function registerChatBot(context: FeatureContext): void {
  const { app, deps, guards } = context
  serve(app, guards, contract.credentials, () => maskedCredentials(deps))
  command(context, contract.saveCredentials, {
    order: ({ body }) => body,
    prepare: (order) => checkCredentials(deps, order),
    run: async (tx, _by, _order, checked) => {
      const done = await replaceCredentials(tx, deps, checked)
      const masked = await maskedCredentials(deps, tx)
      invariant(masked !== null, 'credentials that were just saved are there')
      return withAnswer(done, masked)
    },
  })
  command(context, contract.deleteCredentials, {
    order: () => undefined,
    run: async (tx) => withSentence(await deleteCredentials(tx, deps), 'Bot credentials deleted'),
  })
}

/** The credentials as staff see them; null when there are none. */
async function maskedCredentials(deps: Deps, db: Queryable = deps.db) {
  const stored = await readCredentials(db)
  if (stored === undefined) return null
  const tokens = openTokens(deps, stored)
  return {
    botUsername: stored.botUsername,
    botUserId: stored.botUserId,
    clientId: stored.clientId,
    accessToken: maskToken(tokens?.access ?? ''),
    refreshToken: stored.refreshToken !== null ? maskToken(tokens?.refresh ?? '') : null,
    expiresAt: stored.expiresAt?.toISOString() ?? null,
    scopes: stored.scopes,
    isActive: stored.isActive,
    checkedAt: stored.checkedAt?.toISOString() ?? null,
    ...botState(stored, tokens !== undefined, deps.clock.now()),
  }
}

interface CheckedCredentials {
  readonly before: StoredCredentials | undefined
  readonly row: StoredCredentials
}

/**
 * Credentials as they will be stored, after asking Twitch about the token. One that Twitch does not
 * know is kept and marked, so that nothing typed is lost, but the bot stays off.
 * @throws DomainError invalid_input when the token belongs to another client or another user, is a
 * mask of nothing, or is nothing that Twitch could have given out; changed_meanwhile when what is
 * stored had to be renewed to find that out
 */
async function checkCredentials(
  deps: Deps,
  order: SaveBotCredentialsRequest,
): Promise<CheckedCredentials> {
  if (!isToken(order.clientId)) throw wrongField('clientId', 'This is not a Twitch client ID')
  const before = await readCredentials(deps.db)
  const stored = before && openTokens(deps, before)
  const given = tokensOf(order, stored)
  const { tokens, facts } = await askTwitch(deps, order.clientId, given)
  const now = deps.clock.now()
  const { botUsername, botUserId, clientId } = order
  const known = facts === 'unknown' ? undefined : facts
  const row: StoredCredentials = {
    botUsername,
    botUserId,
    clientId,
    accessToken: sealToken(deps, 'access_token', tokens.access),
    refreshToken:
      tokens.refresh === undefined ? null : sealToken(deps, 'refresh_token', tokens.refresh),
    expiresAt: known === undefined ? null : expiryOf(known.expiresInSeconds, now),
    // What the token may do is unknown while Twitch does not say; the usual is hoped for.
    scopes: known?.scopes.join(' ') ?? `${readScope} ${sendScope}`,
    isActive: facts !== undefined,
    checkedAt: facts === 'unknown' ? null : now,
    problem: facts === 'unknown' ? 'unchecked' : facts === undefined ? 'rejected' : null,
  }
  const refusal = known && mismatchOf(order, known)
  if (refusal === undefined) return { before, row }
  // A refresh token that is good once has been used up where it is stored.
  const isSpent = given.refresh === stored?.refresh && tokens.refresh !== given.refresh
  if (before === undefined || !isSpent) throw refusal
  await writeRefreshedTokens(deps.db, { ...row, seen: before.accessToken, now })
  throw renewedMeanwhile()
}

const renewedMeanwhile = () =>
  new DomainError(
    'changed_meanwhile',
    'The tokens were renewed or saved meanwhile. Reload the page and save again.',
  )

/**
 * Replaces the credentials.
 * @throws DomainError changed_meanwhile when the token was renewed or saved since they were checked
 */
async function replaceCredentials(
  tx: Queryable,
  deps: Deps,
  { before, row }: CheckedCredentials,
): Promise<Outcome<void>> {
  const stored = await lockCredentials(tx)
  // A renewed token may be the only one that still works.
  if (stored?.accessToken !== before?.accessToken) throw renewedMeanwhile()
  await saveCredentials(tx, row)
  return {
    answer: undefined,
    audit: {
      action: 'bot.save_credentials',
      ...targetOf('twitch_bot', row.botUserId),
      before: before && publicPart(before),
      after: publicPart(row),
    },
    afterCommit: () => before && revokeToken(deps, before, row),
  }
}

/** @throws DomainError not_found when there are none */
async function deleteCredentials(tx: Queryable, deps: Deps): Promise<Outcome<void>> {
  const removed = existing(await removeCredentials(tx), 'No bot credentials are stored')
  const target = targetOf('twitch_bot', removed.botUserId)
  return {
    answer: undefined,
    audit: { action: 'bot.delete_credentials', ...target, before: publicPart(removed) },
    afterCommit: () => revokeToken(deps, removed),
  }
}

/** A token that nobody needs any more should not go on working; if it does, it still expires. */
function revokeToken(deps: Deps, removed: StoredCredentials, kept?: StoredCredentials): void {
  const access = openTokens(deps, removed)?.access
  if (kept !== undefined && openTokens(deps, kept)?.access === access) return
  if (access === undefined || removed.clientId !== deps.twitch.clientId) return
  deps.twitch.tokens.revoke(removed.clientId, access).catch((error: unknown) => {
    deps.log.info({ err: error }, 'the old bot token was not revoked')
  })
}

function publicPart({ botUsername, botUserId, clientId, isActive }: StoredCredentials) {
  return { botUsername, botUserId, clientId, isActive }
}

/** A token that equals its mask means the stored one, as an untouched form sends it. */
function tokensOf(order: SaveBotCredentialsRequest, stored: OpenTokens | undefined): OpenTokens {
  const pick = (path: 'accessToken' | 'refreshToken', text: string, kept: string | undefined) => {
    if (kept !== undefined && text === maskToken(kept)) return kept
    const label = path === 'accessToken' ? 'access' : 'refresh'
    // What has a dot in it can only be a mask, whole or in part.
    if (text.includes('•')) throw wrongField(path, `Enter the whole ${label} token`)
    // Anything else could not even be sent to Twitch.
    if (!isToken(text)) throw wrongField(path, `This is not a Twitch ${label} token`)
    return text
  }
  const access = pick('accessToken', order.accessToken, stored?.access)
  const refresh =
    order.refreshToken === undefined || order.refreshToken === null
      ? undefined
      : pick('refreshToken', order.refreshToken, stored?.refresh)
  return { access, refresh }
}

/** Facts are undefined for a token that Twitch refuses, `unknown` when it does not answer. */
async function askTwitch(
  deps: Deps,
  clientId: string,
  given: OpenTokens,
): Promise<{ tokens: OpenTokens; facts: TokenFacts | 'unknown' | undefined }> {
  const { tokens: service } = deps.twitch
  let tokens = given
  try {
    const facts = await service.validate(given.access)
    if (facts !== undefined || given.refresh === undefined) return { tokens, facts }
    // The access token may be old while the refresh token is good, which may be good only once.
    const fresh = await service.refresh(clientId, given.refresh)
    if (fresh === undefined) return { tokens, facts: undefined }
    tokens = { access: fresh.accessToken, refresh: fresh.refreshToken ?? given.refresh }
    return { tokens, facts: await service.validate(tokens.access) }
  } catch (error) {
    if (!(error instanceof TwitchFault)) throw error
    if (isForOthers(deps, clientId, error)) return { tokens, facts: undefined }
    deps.log.warn({ err: error }, 'Twitch could not be asked about the bot token')
    return { tokens, facts: 'unknown' }
  }
}

function mismatchOf(order: SaveBotCredentialsRequest, facts: TokenFacts): DomainError | undefined {
  if (facts.clientId !== order.clientId) {
    return wrongField('clientId', 'The access token was made for another client ID')
  }
  if (facts.userId !== order.botUserId) {
    return wrongField('botUserId', 'The access token belongs to another user ID')
  }
  if (facts.login.toLowerCase() !== order.botUsername.toLowerCase()) {
    return wrongField('botUsername', 'The access token belongs to another username')
  }
  return undefined
}

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
  await writeTokenCheck(deps.db, { seen: stored.accessToken, scopes, expiresAt, now })
}

const soonMillis = 7 * 86_400_000
const renew = `Create a new token with the scopes ${sendScope} and ${readScope} and save it here.`

interface Verdict {
  readonly state: (typeof botStates)[number]
  /** What to do about it; null where there is nothing. */
  readonly advice: string | null
}

/** What the bot can do, and how it stands. */
function botState(stored: StoredCredentials, isReadable: boolean, now: Date) {
  const scopes = stored.scopes.split(' ')
  const isWorking = isReadable && stored.problem !== 'rejected'
  const can = {
    canSendChat: isWorking && scopes.includes(sendScope),
    canReadChatters: isWorking && scopes.includes(readScope),
    canRefresh: stored.refreshToken !== null,
  }
  return { ...can, ...verdictOf(stored, isReadable, can, now) }
}

function verdictOf(
  { problem, expiresAt }: StoredCredentials,
  isReadable: boolean,
  can: { readonly [K in 'canSendChat' | 'canReadChatters' | 'canRefresh']: boolean },
  now: Date,
): Verdict {
  if (!isReadable) {
    const advice =
      'The stored tokens cannot be opened with this ENCRYPTION_KEY. Start with the key that ' +
      'sealed them, or save new tokens here.'
    return { state: 'unreadable', advice }
  }
  if (problem === 'rejected') {
    return { state: 'rejected', advice: `Twitch does not accept this token. ${renew}` }
  }
  if (problem === 'unchecked') {
    const advice = 'Twitch could not be asked about this token yet. It is asked again soon.'
    return { state: 'unchecked', advice }
  }
  if (!can.canSendChat) {
    const advice = `The token lacks the scope ${sendScope}, so no message can be sent. ${renew}`
    return { state: 'limited', advice }
  }
  if (!can.canReadChatters) {
    const advice = `The token lacks the scope ${readScope}, so nobody's presence can be seen. ${renew}`
    return { state: 'limited', advice }
  }
  const isEnding = expiresAt !== null && expiresAt.getTime() - now.getTime() < soonMillis
  if (!can.canRefresh && isEnding) {
    const advice = `The token ends soon and cannot be renewed without a refresh token. ${renew}`
    return { state: 'expiring', advice }
  }
  return { state: 'ready', advice: null }
}

const dots = '••••••••'
const shownCharacters = 4

/** A token as it is shown: dots and its last four characters, and of a short one nothing. */
function maskToken(token: string): string {
  return token.length < 2 * shownCharacters ? dots : dots + token.slice(-shownCharacters)
}

/** False for a text that cannot even be sent to Twitch as a token or a client ID. */
function isToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text)
}
