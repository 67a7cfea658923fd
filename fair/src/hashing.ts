// The two hash functions in portable code; apart, since screens that draw nothing load none of it.

import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import type { Hashing } from './bytes.ts'

export const portableHashing: Hashing = {
  sha256: (data) => sha256(data),
  hmacSha256: (key, message) => hmac(sha256, key, message),
}
