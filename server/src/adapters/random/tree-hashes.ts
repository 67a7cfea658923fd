// The hashes of the public log's Merkle tree (RFC 6962) with the platform's own cryptography.

import { createHash } from 'node:crypto'

const leafMark = Uint8Array.of(0)
const nodeMark = Uint8Array.of(1)

/** `SHA-256(0x00 || entry)`: the hash under which an entry stands in the tree. */
export function leafHash(entry: string | Uint8Array): Uint8Array {
  return createHash('sha256').update(leafMark).update(entry).digest()
}

/** `SHA-256(0x01 || left || right)`: the hash over two subtrees. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return createHash('sha256').update(nodeMark).update(left).update(right).digest()
}

/** The root of a tree without entries: SHA-256 of nothing. */
export const emptyRoot: Uint8Array = createHash('sha256').digest()

/** SHA-256 of bytes, as bytes. */
export function sha256Bytes(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest()
}
