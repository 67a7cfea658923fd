// The bot at work: its way to Twitch by its sealed tokens, what it says in chats about completions,
// in batches and never too fast, and who is in them.

import { parsed } from '@redpack/fair/bytes'
import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import type { BotAccess } from '../../adapters/twitch/twitch-api.ts'
import { DeliveryFault, TwitchFault } from '../../shared/far-side-faults.ts'
import { type BotToken, botTokenContext, isSealedText } from '../../shared/sealed-text.ts'
import { bundle, type Carrier, type Decision, type DueMessage } from '../outbox/sending-tables.ts'
import {
  giveRefreshBack,
  lastSaid,
  noteChattersOf,
  observedStreams,
  peopleToName,
  readCredentials,
  rejectCredentials,
  release,
  type StoredCredentials,
  streamOf,
  takeRefresh,
  writeRefreshedTokens,
} from './tables.ts'

export const sendScope = 'user:write:chat'
export const readScope = 'moderator:read:chatters'

const streamsMax = 100
const namesMax = 100

/**
 * Says completions in the chats. Tries are so close together that Twitch, which drops the same
 * words within 30 s, recognises them: should one have arrived unheard, the next one tells us so.
 */
export function chatCarrier(deps: Deps): Carrier {
  return {
    isInOrder: true,
    backoff: { firstMillis: 2_000, mostMillis: 16_000 },
    leaseMillis: 20_000,
    isOpen: () => isBotAbleTo(deps, sendScope),
    decide: (tx, message, now) => decide(deps, tx, message, now),
  }
}

/** One message speaks for as many of those who wait as fit, by the names that they have now. */
async function decide(
  deps: Deps,
  tx: Queryable,
  message: DueMessage,
  now: Date,
): Promise<Decision> {
  const { id, lane, attempts } = message
  const stream = await streamOf(tx, Number(lane))
  if (stream === undefined) return 'drop'
  const { template, twitchChannelId } = stream
  const isFirst = attempts === 0
  const last = isFirst ? await lastSaid(tx, lane) : undefined
  // What is still to come was said by a clock that was ahead, and is nothing to wait for.
  if (last !== undefined && last <= now) {
    const earliest = new Date(last.getTime() + restMillis(template))
    if (earliest > now) return earliest
  }
  const people = await peopleToName(tx, { id, lane, isFirst, limit: namesMax })
  // Whoever has left is not named any more.
  if (people.length === 0 || (isFirst && people[0]?.id !== id)) return 'drop'
  const { text, count } = composeMessage(
    template,
    people.map(({ name }) => name),
  )
  const spokenFor = people.slice(0, count).map((person) => person.id)
  await bundle(tx, id, spokenFor)
  await release(tx, id, spokenFor)
  return text === '' ? 'drop' : () => say(deps, twitchChannelId, text, isFirst)
}

async function say(deps: Deps, channelId: string, text: string, isFirst: boolean): Promise<void> {
  const outcome = await asBot(deps, sendScope, (bot) =>
    deps.twitch.sendChat(bot, channelId, text),
  ).catch((error: unknown) => {
    throw error instanceof TwitchFault ? deliveryFaultOf(error) : error
  })
  if (outcome === undefined) throw new DeliveryFault('unreachable', 'There is no bot any more')
  const { isSent, dropCode = 'without a reason' } = outcome
  const isRepeated = dropCode === 'msg_duplicate'
  if (isSent || (isRepeated && !isFirst)) return
  throw new DeliveryFault(
    isRepeated || isPassing(dropCode) ? 'later' : 'refused',
    `Twitch dropped it: ${dropCode}`,
  )
}

function deliveryFaultOf(cause: TwitchFault): DeliveryFault {
  const { kind, code, message } = cause
  const isFinal = kind === 'forbidden' || kind === 'refused'
  const waitSeconds = kind === 'rate_limited' ? cause.waitSeconds : undefined
  return isFinal
    ? new DeliveryFault('refused', `Twitch refused this (${code ?? kind})`, { cause })
    : new DeliveryFault('unreachable', message, { cause, waitSeconds })
}

/** Twitch's longest message. */
export const chatMessageMax = 500
const placeholder = '{username}'

/**
 * How long a chat rests after a message. Twenty in 30 s are allowed; this leaves room for what
 * people type as the bot. A text without names is the same each time, and Twitch drops what is said
 * again within 30 s.
 */
function restMillis(template: string): number {
  return template.includes(placeholder) ? 1_600 : 30_000
}

/**
 * One message for as many of the names as fit, `count` from the first on. A text without a place
 * for names is said once for all. Nothing in it can be taken for a command of the chat.
 */
export function composeMessage(template: string, names: readonly string[]) {
  if (!template.includes(placeholder)) return { text: cut(said(template)), count: names.length }
  const fill = (count: number) => said(template.replaceAll(placeholder, () => listed(names, count)))
  let count = 1
  while (count < names.length && fill(count + 1).length <= chatMessageMax) count += 1
  return { text: cut(fill(count)), count }
}

function listed(names: readonly string[], count: number): string {
  const shown = names.slice(0, count).map(oneLine)
  const last = shown.at(-1) ?? ''
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(', ')} and ${last}`
}

function said(text: string): string {
  return oneLine(text).replace(/^[\s/.]+/, '')
}

function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
}

/** At most 500 UTF-16 units, and no half of a character at the end. */
function cut(text: string): string {
  return text.slice(0, chatMessageMax).replace(/[\uD800-\uDBFF]$/, '')
}

/** Reasons that go away by themselves. */
function isPassing(dropCode: string): boolean {
  return dropCode === 'msg_ratelimit' || dropCode === 'msg_slowmode'
}

/**
 * Reads the list of each observed stream. A list that cannot be read grows old, and an old list
 * keeps nobody from earning.
 * @throws TwitchFault when some lists could not be read
 */
export async function readChatters(deps: Deps): Promise<void> {
  let failure: unknown
  for (const { streamId, twitchChannelId } of await observedStreams(deps.db, streamsMax)) {
    try {
      const ids = await asBot(deps, readScope, (bot) => deps.twitch.chatters(bot, twitchChannelId))
      if (ids === undefined) return
      await noteChattersOf(deps.db, streamId, ids, deps.clock.now())
    } catch (error) {
      failure ??= error
    }
  }
  if (failure !== undefined) throw failure
}

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
async function isBotAbleTo(deps: Deps, scope: string): Promise<boolean> {
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
