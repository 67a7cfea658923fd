// The form in which contact details are stored, and the place each of them is bound to.

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

/** Binds contact details to their claim: copied to another row they cannot be opened. */
export function contactInfoContext(claimNumber: number): string {
  return `prize_claims|contact_info|${claimNumber}`
}
