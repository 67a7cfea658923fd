// Tells whether a typed text can be the address of a Solana wallet, and if not, what is wrong with
// it.

import { walletAddressMax, walletAddressMin, walletAddressPattern } from '@redpack/contract/limits'

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const addressBytes = 32

/** Bytes that base58 digits stand for: each leading 1 is a zero byte, the rest one large number. */
function decodedLength(digits: string): number {
  let value = 0n
  for (const digit of digits) value = value * 58n + BigInt(alphabet.indexOf(digit))
  const zeros = digits.length - digits.replace(/^1+/, '').length
  return zeros + (value === 0n ? 0 : Math.ceil(value.toString(16).length / 2))
}

/** Addresses are 32 bytes; the one of 32 zero bytes is the system program's and nobody's wallet. */
function isAddress(text: string): boolean {
  if (!walletAddressPattern.test(text) || /^1+$/.test(text)) return false
  return decodedLength(text) === addressBytes
}

/** The two sentences for an address that is refused (000: 114). */
export const walletProblems = {
  blank: { title: 'Invalid Address', description: 'Please enter a valid Solana wallet address.' },
  format: {
    title: 'Invalid Format',
    description: 'Please enter a valid Solana wallet address format.',
  },
} as const

export type WalletProblem = keyof typeof walletProblems

/** What is wrong with an address, white space around it aside; undefined when nothing is. */
export function walletProblem(typed: string): WalletProblem | undefined {
  const address = typed.trim()
  if (address === '') return 'blank'
  return isAddress(address) ? undefined : 'format'
}

/**
 * Names what to look at in an address that is not right: the first character outside of base58, or
 * the length. Undefined for a blank text and for an address that is right.
 */
export function walletHint(typed: string): string | undefined {
  const address = typed.trim()
  if (walletProblem(address) !== 'format') return undefined
  const characters = [...address]
  const at = characters.findIndex((character) => !alphabet.includes(character))
  if (at !== -1)
    return `${nameOf(characters[at] ?? '')} cannot be part of an address (${place(at)}).`
  const { length } = characters
  if (length < walletAddressMin || length > walletAddressMax) {
    return `This has ${length} characters; an address has ${walletAddressMin} to ${walletAddressMax}.`
  }
  return 'These characters do not form an address. Please compare it with your wallet.'
}

/**
 * The four that base58 leaves out because they are mistaken for others are called by their names.
 */
const lookalikes: Readonly<Record<string, string>> = {
  '0': 'The digit 0',
  O: 'The capital letter O',
  I: 'The capital letter I',
  l: 'The small letter l',
  ' ': 'A space',
}

function nameOf(character: string): string {
  return lookalikes[character] ?? `"${character}"`
}

function place(index: number): string {
  return `character ${index + 1}`
}

/** The ends of an address, enough to compare it by eye. */
export function shortAddress(address: string): string {
  return address.length <= 12 ? address : `${address.slice(0, 5)}…${address.slice(-5)}`
}
