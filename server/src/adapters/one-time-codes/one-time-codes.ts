// Codes of authenticator apps (TOTP, RFC 6238), and recovery codes.

import { createHash } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { Random } from '../random/random.ts'

/** What apps assume when they are told nothing else. */
const form = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** RFC 4226 (4, R6) recommends 160 bits. */
const secretBytes = 20
/** A code is taken one step early or late: clocks differ, and people need time to type. */
const windowSteps = 1

const recoveryCodesMax = 10
const recoveryBytes = 10

function newSecret(random: Pick<Random, 'bytes'>): string {
  const bytes = Uint8Array.from(random.bytes(secretBytes))
  return new Secret({ buffer: bytes.buffer }).base32
}

/** The `otpauth://` address that an app reads from a QR code. */
function enrolmentAddress(secret: string, issuer: string, account: string): string {
  const options = { ...form, issuer, label: account, secret: Secret.fromBase32(secret) }
  return new TOTP(options).toString()
}

/** Ten codes like `K7QF-2M4X-9TBC-HW3E` of 80 random bits: too many to guess at any speed. */
function newRecoveryCodes(random: Pick<Random, 'bytes'>): string[] {
  return Array.from({ length: recoveryCodesMax }, () => {
    const bytes = Uint8Array.from(random.bytes(recoveryBytes))
    return (new Secret({ buffer: bytes.buffer }).base32.match(/.{4}/g) ?? []).join('-')
  })
}

/** What is stored of a recovery code. A plain hash is enough for 80 random bits. */
function recoveryCodeHash(code: string): string {
  const plain = code.toUpperCase().replace(/[^A-Z2-7]/g, '')
  return createHash('sha256').update(plain).digest('hex')
}

/** What somebody has typed: the time step a code belongs to, or the hash of a recovery code. */
export type TypedCode =
  | { readonly kind: 'step'; readonly step: number }
  | { readonly kind: 'recovery'; readonly hash: string }

/**
 * Reads a typed code. Six digits are one of the app: undefined when it belongs to none of the
 * steps around `now`, or when the secret is not known. Anything else may be a recovery code.
 */
function readTypedCode(secret: string | undefined, code: string, now: Date): TypedCode | undefined {
  const digits = code.replaceAll(' ', '')
  if (!/^\d{6}$/.test(digits)) return { kind: 'recovery', hash: recoveryCodeHash(code) }
  if (secret === undefined) return undefined
  const timestamp = now.getTime()
  const totp = new TOTP({ ...form, secret: Secret.fromBase32(secret) })
  const delta = totp.validate({ token: digits, timestamp, window: windowSteps })
  if (delta === null) return undefined
  return { kind: 'step', step: Math.floor(timestamp / 1000 / form.period) + delta }
}

export type OneTimeCodes = typeof timedCodes

/** The codes of RFC 6238. */
export const timedCodes = {
  newSecret,
  enrolmentAddress,
  newRecoveryCodes,
  recoveryCodeHash,
  readTypedCode,
}
