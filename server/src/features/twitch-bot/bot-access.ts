// The bot's way to Twitch: its sealed tokens, renewed once when one is refused, by one caller at a
// time.

import { parsed } from '@redpack/fair/bytes'
import type { Deps } from '../../adapters/deps.ts'
import type { BotAccess } from '../../adapters/twitch/twitch-api.ts'
import { isSealedText } from '../../rules/contact-info.ts'
import { TwitchFault } from '../../shared/far-side-faults.ts'
import { type BotToken, botTokenContext } from '../../shared/sealed-contexts.ts'
import {
  giveRefreshBack,
  readCredentials,
  rejectCredentials,
  type StoredCredentials,
  takeRefresh,
  writeRefreshedTokens,
} from './tables.ts'

/** The text that is stored for a token. */
export function sealToken(deps: Pick<Deps, 'encryption'>, which: BotToken, token: string): string {
  return JSON.stringify(deps.encryption.seal(token, botTokenContext(which)))
}

/** Undefined for what another key has sealed, and for what was damaged. */
function openToken(deps: Pick<Deps, 'encryption'>, which: BotToken, stored: string) {
  const sealed = parsed(stored)
  return isSealedText(sealed) ? deps.encryption.open(sealed, botTokenContext(which)) : undefined
}

export interface OpenTokens {
  readonly access: string
  readonly refresh: string | undefined
}

/**
 * Undefined when a token that is there cannot be opened: another key has sealed it, or its row was
 * damaged. That says nothing about what Twitch thinks of it.
 */
export function openTokens(
  deps: Pick<Deps, 'encryption'>,
  stored: StoredCredentials,
): OpenTokens | undefined {
  const access = openToken(deps, 'access_token', stored.accessToken)
  const refresh =
    stored.refreshToken === null ? undefined : openToken(deps, 'refresh_token', stored.refreshToken)
  const isWhole = access !== undefined && (refresh !== undefined || stored.refreshToken === null)
  return isWhole ? { access, refresh } : undefined
}

const waitMillisMax = 10_000
const lookEveryMillis = 250

/** True for a bot that Twitch has not refused, with this scope and tokens that can be opened. */
export async function isBotAbleTo(deps: Deps, scope: string): Promise<boolean> {
  const stored = await readCredentials(deps.db)
  return stored !== undefined && tokensFor(deps, stored, scope) !== undefined
}

// What cannot be opened is no word of Twitch: the tokens stay, for whoever brings the key back.
function tokensFor(deps: Deps, stored: StoredCredentials, scope?: string): OpenTokens | undefined {
  const hasScope = scope === undefined || stored.scopes.split(' ').includes(scope)
  const mayAct = stored.isActive && hasScope
  return mayAct ? openTokens(deps, stored) : undefined
}

/**
 * Does something as the bot. Undefined when there is no bot that may: no credentials, credentials
 * that Twitch has refused or that cannot be opened, or no such scope. Calls that Twitch answers to
 * everybody need none.
 * @throws TwitchFault
 */
export async function asBot<Result>(
  deps: Deps,
  scope: string | undefined,
  work: (bot: BotAccess) => Promise<Result>,
): Promise<Result | undefined> {
  const stored = await readCredentials(deps.db)
  const tokens = stored && tokensFor(deps, stored, scope)
  if (stored === undefined || tokens === undefined) return undefined
  const { clientId, botUserId: userId } = stored
  try {
    return await work({ clientId, userId, accessToken: tokens.access })
  } catch (error) {
    if (!(error instanceof TwitchFault) || error.kind !== 'unauthorized') throw error
    const accessToken = await refreshBot(deps, stored)
    return accessToken === undefined ? undefined : work({ clientId, userId, accessToken })
  }
}

/**
 * A new access token in place of one that was refused; undefined when Twitch gives none, and then
 * the bot stops, or when the tokens cannot be opened, and then nothing has changed. Callers that
 * come at once, in any process, share one question.
 * @throws TwitchFault when Twitch does not answer; then nothing has changed
 */
export async function refreshBot(
  deps: Deps,
  stored: StoredCredentials,
): Promise<string | undefined> {
  const tokens = openTokens(deps, stored)
  if (tokens === undefined) return undefined
  if (!(await takeRefresh(deps.db, stored.accessToken))) return tokenOfOthers(deps, stored)
  const refreshToken = tokens.refresh
  if (refreshToken === undefined) {
    await giveUp(deps, stored)
    return undefined
  }
  const fresh = await deps.twitch.tokens
    .refresh(stored.clientId, refreshToken)
    .catch(async (error: unknown) => {
      if (isForOthers(deps, stored.clientId, error)) return undefined
      await giveRefreshBack(deps.db, stored.accessToken)
      throw error
    })
  if (fresh === undefined) {
    await giveUp(deps, stored)
    return undefined
  }
  const now = deps.clock.now()
  const next = {
    accessToken: sealToken(deps, 'access_token', fresh.accessToken),
    refreshToken: sealToken(deps, 'refresh_token', fresh.refreshToken ?? refreshToken),
    expiresAt: expiryOf(fresh.expiresInSeconds, now),
  }
  await writeRefreshedTokens(deps.db, { ...next, seen: stored.accessToken, now })
  return fresh.accessToken
}

/** True for a token of another client: without its secret, asking again changes nothing. */
export function isForOthers(deps: Deps, clientId: string, error: unknown): boolean {
  const isRefusal =
    error instanceof TwitchFault && (error.kind === 'forbidden' || error.kind === 'refused')
  return isRefusal && clientId !== deps.twitch.clientId
}

/** When a token ends that has so many seconds left; null for one that never does. */
export function expiryOf(seconds: number | null, now: Date): Date | null {
  return seconds === null ? null : new Date(now.getTime() + seconds * 1_000)
}

/** Somebody else is asking, or has asked: their token counts. */
async function tokenOfOthers(deps: Deps, seen: StoredCredentials): Promise<string | undefined> {
  for (let waited = 0; waited < waitMillisMax; waited += lookEveryMillis) {
    const stored = await readCredentials(deps.db)
    if (stored?.isActive !== true) return undefined
    if (stored.accessToken !== seen.accessToken) return openTokens(deps, stored)?.access
    await deps.clock.pause(lookEveryMillis)
  }
  throw new TwitchFault('unreachable', 'The bot token is being renewed')
}

async function giveUp(deps: Deps, stored: StoredCredentials): Promise<void> {
  await rejectCredentials(deps.db, stored.accessToken, deps.clock.now())
  deps.log.warn({ event: 'bot_rejected' }, 'Twitch does not accept the bot token')
}
