// Keeps texts secret where they are stored, and makes marks of identities that say nothing by
// themselves.

import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync } from 'node:crypto'
import type { SealedText } from '../../rules/contact-info.ts'
import type { Random } from '../random/random.ts'

export interface Encryption {
  /** Encrypts with AES-256-GCM. The text can be opened at the same `place` only. */
  seal(text: string, place: string): SealedText
  /**
   * Answers undefined for what another key has sealed.
   * @throws Error when the sealed text was changed or stands at another place
   */
  open(sealed: SealedText, place: string): string | undefined
  /** HMAC-SHA256 in hex: the same for the same value, and of no use without the key. */
  fingerprint(kind: string, value: string): string
}

const algorithm = 'aes-256-gcm'
/**
 * Random and new for each text, as NIST SP 800-38D (8.2.2) allows for less than 2^32 texts a key.
 */
const nonceBytes = 12
const tagBytes = 16
const keyIdDigits = 16

function derive(keyHex: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(keyHex, 'hex'), '', purpose, 32))
}

/** `keyHex` is 64 hexadecimal digits. Without a key every use throws, and nothing else does. */
export function encryptionWith(
  keyHex: string | undefined,
  random: Pick<Random, 'bytes'>,
): Encryption {
  if (keyHex === undefined) return { seal: noKey, open: noKey, fingerprint: noKey }
  // Each use has a key of its own (RFC 5869), so that what one shows helps against no other.
  const textKey = derive(keyHex, 'redpack stored texts')
  const markKey = derive(keyHex, 'redpack fingerprints')
  const keyId = createHash('sha256').update(textKey).digest('hex').slice(0, keyIdDigits)
  return {
    seal(text, place) {
      const nonce = random.bytes(nonceBytes)
      const cipher = createCipheriv(algorithm, textKey, nonce, { authTagLength: tagBytes })
      cipher.setAAD(Buffer.from(place))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return {
        sealed: sealed.toString('base64'),
        nonce: nonce.toString('base64'),
        tag: cipher.getAuthTag().toString('base64'),
        keyId,
      }
    },
    open({ sealed, nonce, tag, keyId: usedKeyId }, place) {
      if (usedKeyId !== keyId) return undefined
      const decipher = createDecipheriv(algorithm, textKey, Buffer.from(nonce, 'base64'), {
        authTagLength: tagBytes,
      })
      decipher.setAAD(Buffer.from(place))
      decipher.setAuthTag(Buffer.from(tag, 'base64'))
      return decipher.update(sealed, 'base64', 'utf8') + decipher.final('utf8')
    },
    fingerprint: (kind, value) =>
      createHmac('sha256', markKey).update(`${kind}|${value}`).digest('hex'),
  }
}

function noKey(): never {
  throw new Error('No encryption key is set')
}
