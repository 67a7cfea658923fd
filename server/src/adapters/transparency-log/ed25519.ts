// Ed25519 with raw keys of 32 bytes, as the log's formats carry them.

import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'

// What stands in front of the raw bytes in the usual encodings (RFC 8410).
const privateHead = Buffer.from('302e020100300506032b657004220420', 'hex')
const publicHead = Buffer.from('302a300506032b6570032100', 'hex')

/** Signs texts with one key. */
export interface Signer {
  readonly publicKey: Uint8Array
  sign(text: string): Uint8Array
}

/** The signer of a seed of 64 hexadecimal digits. */
export function signerOf(seedHex: string): Signer {
  const der = Buffer.concat([privateHead, Buffer.from(seedHex, 'hex')])
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' })
  return {
    publicKey: Uint8Array.from(spki.subarray(publicHead.length)),
    sign: (text) => sign(null, Buffer.from(text), key),
  }
}

export function isSignedBy(publicKey: Uint8Array, text: string, signature: Uint8Array): boolean {
  const der = Buffer.concat([publicHead, publicKey])
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  return verify(null, Buffer.from(text), key, signature)
}
