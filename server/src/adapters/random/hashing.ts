// The hashes of draw and log with the platform's own cryptography, which is faster than a portable
// one.

import { createHmac, hash } from 'node:crypto'
import type { Hashing } from '@redpack/fair/bytes'
import { treeHashes } from '@redpack/fair/tree'

export const nodeHashing: Hashing = {
  sha256: (data) => hash('sha256', data, 'buffer'),
  hmacSha256: (key, message) => createHmac('sha256', key).update(message).digest(),
}

/** SHA-256 of text (as UTF-8) or bytes, in lower-case hex. */
export function sha256Hex(value: string | Uint8Array): string {
  return hash('sha256', value, 'hex')
}

export const logHashes = treeHashes(nodeHashing)
