// The text that a wallet signs, letter for letter, and keys whose signatures fit any text.

import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { isSmallOrderKey, walletMessage } from './wallet.ts'

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

it('the text names who asks, for whom, and how long it holds', () => {
  const text = walletMessage({
    domain: 'packs.test:8443',
    uri: 'https://packs.test:8443',
    address: 'So11111111111111111111111111111111111111112',
    nonce: '0123456789abcdef',
    issuedAt: new Date('2026-03-01T12:00:00.000Z'),
    expiresAt: new Date('2026-03-01T12:05:00.000Z'),
  })
  expect(text).toBe(`packs.test:8443 wants you to sign in with your Solana account:
So11111111111111111111111111111111111111112

Prove that this wallet is yours. Nothing is paid and nothing can be spent.

URI: https://packs.test:8443
Version: 1
Nonce: 0123456789abcdef
Issued At: 2026-03-01T12:00:00.000Z
Expiration Time: 2026-03-01T12:05:00.000Z`)
})
