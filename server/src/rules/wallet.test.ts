// What counts as the address of a wallet, and keys whose signatures fit any text.

import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { alphabet, encodeBase58 } from '../../test/base58.ts'
import { decodeBase58, isSmallOrderKey, isWalletAddress } from './wallet.ts'

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
})

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'))
const withSign = (hex: string) => {
  const key = bytes(hex)
  key[31] = (key[31] ?? 0) | 0x80
  return key
}

/** The points whose order divides 8, each as every decoder must read it. */
const smallOrder = [
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  `ec${'ff'.repeat(30)}7f`,
]
/** 0 and 1 again, written as the prime and the prime plus one. */
const writtenOtherwise = [`ed${'ff'.repeat(30)}7f`, `ee${'ff'.repeat(30)}7f`]

/** A signature that nobody's secret made: the point 1, and 0. */
const empty = Buffer.concat([bytes(`01${'00'.repeat(31)}`), Buffer.alloc(32)])
const fits = (key: Uint8Array, text: string) =>
  verify(
    null,
    Buffer.from(text),
    createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key).toString('base64url') },
      format: 'jwk',
    }),
    empty,
  )
const texts = Array.from({ length: 200 }, (_, index) => `text ${index}`)

describe('a key that proves nothing', () => {
  it.each(smallOrder)('%s: an empty signature fits texts that nobody signed', (hex) => {
    // OpenSSL of Node 24 refuses such keys by itself.
    const isUpToUs = process.versions.openssl.startsWith('3.0.')
    expect(texts.some((text) => fits(bytes(hex), text))).toBe(isUpToUs)
    expect(isSmallOrderKey(bytes(hex))).toBe(true)
  })

  it.each([...smallOrder, ...writtenOtherwise])('%s is known with either sign', (hex) => {
    expect(isSmallOrderKey(bytes(hex))).toBe(true)
    expect(isSmallOrderKey(withSign(hex))).toBe(true)
  })

  it('is none that a wallet makes', () => {
    for (let turn = 0; turn < 20; turn += 1) {
      const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
      const key = Uint8Array.from(Buffer.from(x ?? '', 'base64url'))
      expect(texts.slice(0, 10).some((text) => fits(key, text))).toBe(false)
      expect(isSmallOrderKey(key)).toBe(false)
    }
    // One that differs from a small one in a single bit of another byte.
    expect(isSmallOrderKey(bytes(`0180${'00'.repeat(30)}`))).toBe(false)
    expect(isSmallOrderKey(bytes(`81${'00'.repeat(31)}`))).toBe(false)
  })
})
