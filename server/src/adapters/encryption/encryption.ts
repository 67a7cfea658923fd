// Encrypts stored texts, and makes marks of identities that reveal nothing by themselves.

import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync } from 'node:crypto'
import type { SealedText } from '../../shared/sealed-text.ts'
import type { Random } from '../random/random.ts'

export interface Encryption {
  /** Names the key that seals now; undefined without a key. */
  readonly keyId: string | undefined
  /** Names every key that is here: the one that seals, and those that only open. */
  readonly keyIds: readonly string[]
  /** Encrypts with AES-256-GCM. The text can be opened at the same `place` only. */
  seal(text: string, context: string): SealedText
  /**
   * Answers undefined for what cannot be opened: another key has sealed it, it was changed, or it
   * stands at another place. None of that says anything about what was sealed, so callers must not
   * take it for an end of it.
   */
  open(sealed: SealedText, context: string): string | undefined
  /** HMAC-SHA256 in hex: the same for the same value, and of no use without the key. */
  fingerprint(kind: string, value: string): string
  /** What `fingerprint` answers now and what it answered with the earlier keys. */
  fingerprints(kind: string, value: string): readonly string[]
}

const algorithm = 'aes-256-gcm'
/**
 * Random and new for each text, as NIST SP 800-38D (8.2.2) allows for less than 2^32 texts a key.
 */
const nonceBytes = 12
const tagBytes = 16
const keyIdDigits = 16

/** A text that could not be opened; nothing of it is told but where it stands. */
export interface Unopened {
  readonly context: string
  readonly keyId: string
  /** `other_key`: a key that is not here has sealed it. `changed`: it is not what was sealed. */
  readonly why: 'other_key' | 'changed'
}

function derive(keyHex: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(keyHex, 'hex'), '', purpose, 32))
}

interface Keys {
  readonly id: string
  readonly text: Buffer
  readonly mark: Buffer
}

function keysOf(keyHex: string): Keys {
  // Each use has a key of its own (RFC 5869), so that what one shows helps against no other.
  const text = derive(keyHex, 'redpack stored texts')
  const id = createHash('sha256').update(text).digest('hex').slice(0, keyIdDigits)
  return { id, text, mark: derive(keyHex, 'redpack fingerprints') }
}

/**
 * `keyHex` is 64 hexadecimal digits; it seals and marks from now on. `earlierKeys` still open what
 * they have sealed; `onUnopened` hears of what none of them opens. Without a key every use throws,
 * and nothing else does.
 */
export function encryptionWith(
  keyHex: string | undefined,
  random: Pick<Random, 'bytes'>,
  earlierKeys: readonly string[] = [],
  onUnopened: (what: Unopened) => void = () => undefined,
): Encryption {
  if (keyHex === undefined) {
    const unable = { seal: noKey, open: noKey, fingerprint: noKey, fingerprints: noKey }
    return { keyId: undefined, keyIds: [], ...unable }
  }
  const current = keysOf(keyHex)
  const all = [current, ...earlierKeys.map(keysOf)]
  return {
    keyId: current.id,
    keyIds: [...new Set(all.map(({ id }) => id))],
    seal(text, context) {
      const nonce = random.bytes(nonceBytes)
      const cipher = createCipheriv(algorithm, current.text, nonce, { authTagLength: tagBytes })
      cipher.setAAD(Buffer.from(context))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return {
        sealed: sealed.toString('base64'),
        nonce: nonce.toString('base64'),
        tag: cipher.getAuthTag().toString('base64'),
        keyId: current.id,
      }
    },
    open(text, context) {
      const keys = all.find(({ id }) => id === text.keyId)
      const opened = keys === undefined ? undefined : decipher(keys, text, context)
      if (opened === undefined) {
        onUnopened({
          context,
          keyId: text.keyId,
          why: keys === undefined ? 'other_key' : 'changed',
        })
      }
      return opened
    },
    fingerprint: (kind, value) => markOf(current, kind, value),
    fingerprints: (kind, value) => all.map((keys) => markOf(keys, kind, value)),
  }
}

function decipher(keys: Keys, text: SealedText, context: string): string | undefined {
  const { sealed, nonce, tag } = text
  try {
    const opening = createDecipheriv(algorithm, keys.text, Buffer.from(nonce, 'base64'), {
      authTagLength: tagBytes,
    })
    opening.setAAD(Buffer.from(context))
    opening.setAuthTag(Buffer.from(tag, 'base64'))
    return opening.update(sealed, 'base64', 'utf8') + opening.final('utf8')
  } catch {
    return undefined
  }
}

function markOf(keys: Keys, kind: string, value: string): string {
  return createHmac('sha256', keys.mark).update(`${kind}|${value}`).digest('hex')
}

function noKey(): never {
  throw new Error('No encryption key is set')
}
