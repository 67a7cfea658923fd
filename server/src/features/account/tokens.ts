// Tokens that only their holder knows: made of 256 random bits, kept as their SHA-256.

import { sha256Hex } from '../../adapters/random/hashing.ts'
import type { Random } from '../../adapters/random/random.ts'

const tokenBytes = 32

/** A new token of 43 base64url characters. */
export function newToken(random: Random): string {
  return random.bytes(tokenBytes).toString('base64url')
}

/** What is stored of a token. A plain hash is enough: 256 random bits cannot be guessed. */
export function tokenHash(token: string): string {
  return sha256Hex(token)
}
