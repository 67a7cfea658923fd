// What counts as the address of a Solana wallet.

import { walletAddressPattern } from '@redpack/contract/limits'
import { DomainError } from '../shared/domain-error.ts'

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
  const errors = [{ path: field, message: formatSentence }]
  throw new DomainError('invalid_input', formatSentence, { errors })
}
