// The provably fair rolls and the hashes that commit to them, with the platform's own cryptography.

import { createHash, createHmac } from 'node:crypto'

/**
 * Rolls for `count` packs: `HMAC-SHA256(key = the 32 bytes of the server seed, message = clientSeed
 * + ":" + nonce)`, of which the first 13 hex digits are the roll (52 bits). Nonces run from
 * `firstNonce` without gaps. The scheme is described in docs/economy.md.
 */
export function fairRolls(
  serverSeed: string,
  clientSeed: string,
  firstNonce: number,
  count: number,
): number[] {
  const key = Buffer.from(serverSeed, 'hex')
  return Array.from({ length: count }, (_, index) => {
    const digest = createHmac('sha256', key)
      .update(`${clientSeed}:${firstNonce + index}`)
      .digest('hex')
    return Number.parseInt(digest.slice(0, 13), 16)
  })
}

/** SHA-256 of text (as UTF-8) or bytes, in lower-case hex. */
export function sha256Hex(value: string | Uint8Array): string {
  return createHash('sha256').update(value).digest('hex')
}

/** The commitment to a server seed: SHA-256 of its 32 raw bytes. */
export function seedCommitment(serverSeed: string): string {
  return sha256Hex(Buffer.from(serverSeed, 'hex'))
}
