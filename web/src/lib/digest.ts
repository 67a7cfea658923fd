// SHA-256 and HMAC by the browser's own cryptography, in lower-case hex.

import { type Bytes, hexOf, utf8 } from './tlog/bytes.ts'

export async function sha256(bytes: Bytes): Promise<string> {
  return hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}

/** HMAC-SHA256 of a text. */
export async function hmac(key: Bytes, message: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign'])
  return hexOf(new Uint8Array(await crypto.subtle.sign('HMAC', imported, utf8(message))))
}
