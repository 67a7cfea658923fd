// What the bot says in a chat when somebody has completed a stream.

/** Twitch's longest message. */
export const chatMessageMax = 500
const placeholder = '{username}'

/**
 * How long a chat rests after a message. Twenty in 30 s are allowed; this leaves room for what
 * people type as the bot. A text without names is the same each time, and Twitch drops what is said
 * again within 30 s.
 */
export function restMillis(template: string): number {
  return template.includes(placeholder) ? 1_600 : 30_000
}

export interface ComposedMessage {
  readonly text: string
  /** How many of the names it takes care of, from the first on. */
  readonly count: number
}

/**
 * One message for as many of the names as fit. A text without a place for names is said once for
 * all. Nothing in it can be taken for a command of the chat.
 */
export function composeMessage(template: string, names: readonly string[]): ComposedMessage {
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

export const sendScope = 'user:write:chat'
export const readScope = 'moderator:read:chatters'

/** Why credentials do not work: Twitch said no, or could not be asked yet. */
export type BotProblem = 'rejected' | 'unchecked'

/** Why they do not work here: the key that sealed them is another one. */
type LocalProblem = 'unreadable'

export interface BotFacts {
  readonly problem: BotProblem | LocalProblem | null
  readonly scopes: readonly string[]
  readonly expiresAt: Date | null
  readonly hasRefreshToken: boolean
}

export interface BotState {
  readonly state: 'ready' | 'limited' | 'expiring' | 'rejected' | 'unchecked' | 'unreadable'
  readonly advice: string | null
  readonly canSendChat: boolean
  readonly canReadChatters: boolean
  readonly canRefresh: boolean
}

const soonMillis = 7 * 86_400_000
const renew = `Create a new token with the scopes ${sendScope} and ${readScope} and save it here.`

export function botState(facts: BotFacts, now: Date): BotState {
  const isWorking = facts.problem !== 'rejected' && facts.problem !== 'unreadable'
  const can = {
    canSendChat: isWorking && facts.scopes.includes(sendScope),
    canReadChatters: isWorking && facts.scopes.includes(readScope),
    canRefresh: facts.hasRefreshToken,
  }
  return { ...can, ...judgement(facts, can, now) }
}

function judgement(
  facts: BotFacts,
  can: Pick<BotState, 'canSendChat' | 'canReadChatters'>,
  now: Date,
): Pick<BotState, 'state' | 'advice'> {
  if (facts.problem === 'unreadable') {
    const advice =
      'The stored tokens cannot be opened with this ENCRYPTION_KEY. Start with the key that ' +
      'sealed them, or save new tokens here.'
    return { state: 'unreadable', advice }
  }
  if (facts.problem === 'rejected') {
    return { state: 'rejected', advice: `Twitch does not accept this token. ${renew}` }
  }
  if (facts.problem === 'unchecked') {
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
  const isEnding =
    facts.expiresAt !== null && facts.expiresAt.getTime() - now.getTime() < soonMillis
  if (!facts.hasRefreshToken && isEnding) {
    const advice = `The token ends soon and cannot be renewed without a refresh token. ${renew}`
    return { state: 'expiring', advice }
  }
  return { state: 'ready', advice: null }
}

const dots = '••••••••'
const shownCharacters = 4

/** A token as it is shown: dots and its last four characters, and of a short one nothing. */
export function maskToken(token: string): string {
  return token.length < 2 * shownCharacters ? dots : dots + token.slice(-shownCharacters)
}

/** True for a text that can only be a mask, whole or in part. */
export function isMasked(text: string): boolean {
  return text.includes('•')
}

/** False for a text that cannot even be sent to Twitch as a token or a client ID. */
export function isToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text)
}
