// What the bot says in a chat when somebody has completed a stream.

/** Twitch's longest message. */
export const chatMessageMax = 500
const placeholder = '{username}'

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
  const fill = (count: number) => said(template.replaceAll(placeholder, listed(names, count)))
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
