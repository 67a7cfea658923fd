// What the offline tools hash and check signatures with.

import { createHash, createHmac, createPublicKey, verify } from 'node:crypto'
import type { Hashing } from '../../fair/src/bytes.ts'
import type { Verify } from '../../fair/src/notes.ts'

export const nodeHashing: Hashing = {
  sha256: (data) => createHash('sha256').update(data).digest(),
  hmacSha256: (key, message) => createHmac('sha256', key).update(message).digest(),
}

/** In front of the 32 bytes of an Ed25519 key (RFC 8410). */
const derHead = Buffer.from('302a300506032b6570032100', 'hex')

export const verifySignature: Verify = (publicKey, message, signature) => {
  const der = Buffer.concat([derHead, publicKey])
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  return verify(null, message, key, signature)
}
