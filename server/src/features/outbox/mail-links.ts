// The tokens in mails: they say whose they are, and prove it by the key of the product.

import { timingSafeEqual } from 'node:crypto'
import type { Encryption } from '../../adapters/encryption/encryption.ts'

type LinkPurpose = 'verify-address' | 'unsubscribe'

/** `detail` is what the token is good for besides the person, such as one address. */
export function linkToken(
  encryption: Encryption,
  purpose: LinkPurpose,
  userId: number,
  detail = '',
): string {
  return `${userId}.${encryption.fingerprint(purpose, `${userId}|${detail}`)}`
}

/** Whose token it says it is; undefined for what is none. */
export function userOfToken(token: string): number | undefined {
  const [, id] = /^(\d{1,9})\.[0-9a-f]{64}$/.exec(token) ?? []
  return id === undefined ? undefined : Number(id)
}

/** True for a token that the product has made, with this key or an earlier one. */
export function isLinkToken(
  encryption: Encryption,
  purpose: LinkPurpose,
  token: string,
  detail = '',
): boolean {
  const [id = '', mark = ''] = token.split('.')
  return encryption.fingerprints(purpose, `${id}|${detail}`).some((known) => {
    return known.length === mark.length && timingSafeEqual(Buffer.from(known), Buffer.from(mark))
  })
}
