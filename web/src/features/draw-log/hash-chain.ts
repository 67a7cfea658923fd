// Checks the public draw log with the browser's own cryptography (docs/economy.md).

import type { DrawLogEntry } from '@redpack/contract'

/** The last entry that was checked; position 0 before the first. */
export interface ChainEnd {
  readonly position: number
  readonly hash: string
}

export const startOfChain: ChainEnd = { position: 0, hash: '0'.repeat(64) }

export interface LinkFault {
  /** The entry that does not fit. */
  readonly position: number
  /** `hash`: it does not say what its hash says. `link`: it does not go on from the one before. */
  readonly reason: 'hash' | 'link'
}

/** The hash of an entry: SHA-256 of the JSON of its other fields, in the order they came in. */
export async function entryHash({ hash: _hash, ...fields }: DrawLogEntry): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify(fields))
  const digest = await crypto.subtle.digest('SHA-256', text)
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * Follows the chain from `start` through entries in their order.
 * @returns how far it holds, and the first entry that breaks it
 * @throws when the browser offers no cryptography, as on a page without a secure connection
 */
export async function checkLinks(
  start: ChainEnd,
  entries: readonly DrawLogEntry[],
): Promise<{ readonly end: ChainEnd; readonly fault: LinkFault | undefined }> {
  let end = start
  const hashes = await Promise.all(entries.map(entryHash))
  for (const [index, { position, previousHash, hash }] of entries.entries()) {
    if (position !== end.position + 1 || previousHash !== end.hash) {
      return { end, fault: { position, reason: 'link' } }
    }
    if (hashes[index] !== hash) return { end, fault: { position, reason: 'hash' } }
    end = { position, hash }
  }
  return { end, fault: undefined }
}
