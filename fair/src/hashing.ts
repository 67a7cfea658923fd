// The two functions that everything here is built on. The server brings faster ones of its own.

import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'

export interface Hashing {
  /** SHA-256 (FIPS 180-4). */
  sha256(data: Uint8Array): Uint8Array
  /** HMAC-SHA-256 (RFC 2104). */
  hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array
}

/** Runs alike in browsers and in Node. */
export const portableHashing: Hashing = {
  sha256: (data) => sha256(data),
  hmacSha256: (key, message) => hmac(sha256, key, message),
}
