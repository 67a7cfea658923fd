import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeBase58, isWalletAddress, requireWalletAddress } from './wallet.ts'

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/**
 * Written the other way round from the decoder: digit by digit over the bytes, without big numbers.
 */
function encodeBase58(bytes: Uint8Array): string {
  const digits: number[] = []
  for (const byte of bytes) {
    let carry = byte
    for (let i = 0; i < digits.length; i += 1) {
      carry += digits[i]! * 256
      digits[i] = carry % 58
      carry = Math.floor(carry / 58)
    }
    for (; carry > 0; carry = Math.floor(carry / 58)) digits.push(carry % 58)
  }
  const zeros = bytes.findIndex((byte) => byte !== 0)
  const leading = '1'.repeat(zeros === -1 ? bytes.length : zeros)
  return (
    leading +
    digits
      .reverse()
      .map((digit) => alphabet[digit])
      .join('')
  )
}

const system = '1'.repeat(32)
const known = 'So11111111111111111111111111111111111111112'
const addresses = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .filter((bytes) => bytes.some((byte) => byte !== 0))

describe('base58', () => {
  it('decodes what any bytes are written as', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect(decodeBase58(encodeBase58(bytes))).toEqual(bytes)
      }),
    )
  })

  it('gives every text of the alphabet one set of bytes', () => {
    const texts = fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 44 })
    fc.assert(
      fc.property(texts, (text) => {
        expect(encodeBase58(decodeBase58(text)!)).toBe(text)
      }),
    )
  })

  it('decodes published examples', () => {
    expect(decodeBase58('')).toEqual(new Uint8Array())
    expect(Buffer.from(decodeBase58('2NEpo7TZRRrLZSi2U')!).toString()).toBe('Hello World!')
    expect(Buffer.from(decodeBase58('11233QC4')!).toString('hex')).toBe('0000287fb4cd')
  })

  it('knows no 0, O, I, l and nothing outside the alphabet', () => {
    for (const character of ['0', 'O', 'I', 'l', ' ', '-', 'é']) {
      expect(decodeBase58(`2g${character}`)).toBeUndefined()
    }
  })
})

describe('a wallet address', () => {
  it('is whatever 32 bytes are written as', () => {
    fc.assert(
      fc.property(addresses, (bytes) => {
        expect(isWalletAddress(encodeBase58(bytes))).toBe(true)
      }),
    )
  })

  it('is no text of another number of bytes, even with the right length', () => {
    const texts = fc.string({
      unit: fc.constantFrom(...alphabet),
      minLength: 32,
      maxLength: 44,
    })
    fc.assert(
      fc.property(texts, (text) => {
        expect(isWalletAddress(text)).toBe(decodeBase58(text)!.length === 32 && text !== system)
      }),
    )
    expect(isWalletAddress('z'.repeat(44))).toBe(false)
    expect(isWalletAddress('2'.repeat(32))).toBe(false)
  })

  it('is accepted for a known mint and refused for the system program', () => {
    expect(isWalletAddress(known)).toBe(true)
    expect(isWalletAddress(system)).toBe(false)
  })

  it('is refused by one sentence that names the field', () => {
    expect(() => requireWalletAddress(known, 'solanaWallet')).not.toThrow()
    expect(() => requireWalletAddress(system, 'solanaWallet')).toThrowError(
      expect.objectContaining({
        code: 'invalid_input',
        message: 'Please enter a valid Solana wallet address format.',
        details: {
          errors: [
            { path: 'solanaWallet', message: 'Please enter a valid Solana wallet address format.' },
          ],
        },
      }),
    )
  })
})
