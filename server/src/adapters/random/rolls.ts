// The provably fair rolls and the hashes that commit to them, with the platform's own cryptography.

import { createHash, createHmac } from 'node:crypto'

/** Which text is hashed into a roll: 1 without and 2 with the hash of the odds table. */
export type RollScheme = 1 | 2

export interface RollSeeds {
  readonly scheme: RollScheme
  /** 64 hex digits. */
  readonly serverSeed: string
  readonly clientSeed: string
}

/**
 * Rolls for `count` packs: `HMAC-SHA256(key = the 32 bytes of the server seed, message = clientSeed
 * + ":" + nonce + ":" + tableHash)`, of which the first 13 hex digits are the roll (52 bits).
 * Scheme 1 leaves out the colon and hash at the end. Nonces run from `firstNonce` without gaps. The
 * schemes are described in docs/economy.md.
 */
export function fairRolls(
  { scheme, serverSeed, clientSeed }: RollSeeds,
  tableHash: string,
  firstNonce: number,
  count: number,
): number[] {
  const key = Buffer.from(serverSeed, 'hex')
  const end = scheme === 1 ? '' : `:${tableHash}`
  return Array.from({ length: count }, (_, index) => {
    const digest = createHmac('sha256', key)
      .update(`${clientSeed}:${firstNonce + index}${end}`)
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
