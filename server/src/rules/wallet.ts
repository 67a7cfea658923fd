// What counts as the address of a Solana wallet.

import { walletAddressPattern } from '@redpack/contract/limits'
import { wrongField } from '../shared/domain-error.ts'

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const addressBytes = 32
const formatSentence = 'Please enter a valid Solana wallet address format.'

/**
 * The bytes that base58 text (the Bitcoin alphabet) stands for, or undefined when a character is
 * none of the alphabet. Every leading 1 is a zero byte. Meant for short texts: the time grows with
 * the square of the length.
 */
export function decodeBase58(text: string): Uint8Array | undefined {
  let value = 0n
  for (const character of text) {
    const digit = alphabet.indexOf(character)
    if (digit === -1) return undefined
    value = value * 58n + BigInt(digit)
  }
  const bytes: number[] = []
  for (; value > 0n; value >>= 8n) bytes.push(Number(value & 0xffn))
  for (const character of text) {
    if (character !== alphabet[0]) break
    bytes.push(0)
  }
  return Uint8Array.from(bytes.reverse())
}

/**
 * True for 32 to 44 base58 characters that decode to exactly 32 bytes. Most texts that fit the
 * pattern do not, and an address carries no checksum, so this is all that can be told. The system
 * program (32 zero bytes) belongs to nobody. Addresses off the curve are real ones: shared wallets
 * have them.
 */
export function isWalletAddress(text: string): boolean {
  if (!walletAddressPattern.test(text)) return false
  const bytes = decodeBase58(text)
  return bytes?.length === addressBytes && bytes.some((byte) => byte !== 0)
}

/**
 * Accepts addresses that somebody can own, so that a signature can prove it.
 * @throws DomainError invalid_input naming `field` for anything else
 */
export function requireWalletAddress(address: string, field: string): void {
  if (isWalletAddress(address)) return
  throw wrongField(field, formatSentence)
}

export interface WalletMessage {
  /** Host under which the product is reached; wallets compare it with the page they are on. */
  readonly domain: string
  readonly uri: string
  readonly address: string
  /** At least 8 letters and digits. */
  readonly nonce: string
  readonly issuedAt: Date
  readonly expiresAt: Date
}

const statement = 'Prove that this wallet is yours. Nothing is paid and nothing can be spent.'

/** The message of Sign In With Solana, version 1, in the order of fields its grammar asks for. */
export function walletMessage(message: WalletMessage): string {
  return [
    `${message.domain} wants you to sign in with your Solana account:`,
    message.address,
    '',
    statement,
    '',
    `URI: ${message.uri}`,
    'Version: 1',
    `Nonce: ${message.nonce}`,
    `Issued At: ${message.issuedAt.toISOString()}`,
    `Expiration Time: ${message.expiresAt.toISOString()}`,
  ].join('\n')
}

/**
 * The y-coordinates of the points whose order divides 8, written in every way that decodes to them,
 * without the sign of x. For such keys one signature fits many messages.
 */
const smallOrder = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
])

/** True for the 32 bytes of a key that can prove nothing. */
export function isSmallOrderKey(key: Uint8Array): boolean {
  const digits = Array.from(key, (byte, index) => (index === 31 ? byte & 0x7f : byte))
  return smallOrder.has(digits.map((byte) => byte.toString(16).padStart(2, '0')).join(''))
}
