// The form of sealed texts, and where they stand. Each is bound to its place: copied to another
// row or column it cannot be opened there.

/** An encrypted text with what opening it needs besides the key; the bytes are base64. */
export interface SealedText {
  readonly sealed: string
  readonly nonce: string
  readonly tag: string
  /** Names the key, so that it can be replaced. */
  readonly keyId: string
}

export function isSealedText(value: unknown): value is SealedText {
  if (typeof value !== 'object' || value === null) return false
  const fields = value as Record<string, unknown>
  return ['sealed', 'nonce', 'tag', 'keyId'].every((key) => typeof fields[key] === 'string')
}

/** The contact details of a claim. */
export function contactInfoContext(claimNumber: number): string {
  return `prize_claims|contact_info|${claimNumber}`
}

/** The seed that the opening with this index of a chain will use. */
export function seedContext(chainId: number, index: number): string {
  return `draw_chains|sealed_seed|${chainId}|${index}`
}

/** What Twitch has handed out for somebody who signed in. */
export function signInContext(userId: number): string {
  return `twitch_sign_ins|tokens|${userId}`
}

/** The code that a prize delivers. */
export function prizeCodeContext(id: number): string {
  return `prize_codes|sealed|${id}`
}

export type BotToken = 'access_token' | 'refresh_token'

/** One of the chat bot's tokens; there is one row of them. */
export function botTokenContext(which: BotToken): string {
  return `twitch_bot_credentials|${which}|1`
}
