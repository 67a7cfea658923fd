// Tells whether a typed text has the form of a Solana wallet's address, if not, what is wrong with
// it, and if so, whether it can be one.

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

/**
 * True for a text of the right form that is still nobody's address: those are 32 bytes, and 32 zero
 * bytes are the system program's.
 */
export function isUnlikelyAddress(typed: string): boolean {
  const address = typed.trim()
  if (!walletAddressPattern.test(address)) return false
  return /^1+$/.test(address) || decodedLength(address) !== addressBytes
}

/** The two sentences for an address that is refused. */
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
  return walletAddressPattern.test(address) ? undefined : 'format'
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
    return `${nameOf(characters[at] ?? '')} cannot be part of an address (character ${at + 1}).`
  return `This has ${characters.length} characters; an address has ${walletAddressMin} to ${walletAddressMax}.`
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

/** The ends of an address, enough to compare it by eye. */
export function shortAddress(address: string): string {
  return address.length <= 12 ? address : `${address.slice(0, 5)}…${address.slice(-5)}`
}
