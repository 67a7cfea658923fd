// Proving that a wallet is one's own, with real Ed25519 keys, and every way to pretend.

import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { encodeBase58 } from '../../../test/base58.ts'
import { coded, type Person, told, useTestDeps } from '../../../test/deps.ts'
import { sessionCookie } from '../../../test/sessions.ts'

const t = useTestDeps({ PUBLIC_URL: 'http://127.0.0.1:3000' })

interface Wallet {
  readonly address: string
  readonly key: KeyObject
}

function newWallet(): Wallet {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { x } = publicKey.export({ format: 'jwk' })
  return { address: encodeBase58(Buffer.from(x!, 'base64url')), key: privateKey }
}

let ana: Person
let ben: Person
let wallet: Wallet
beforeEach(async () => {
  ana = await t.person('ana')
  ben = await t.person('ben')
  wallet = newWallet()
})

const challenge = async (person: Person, address: string) => {
  const answer = await person.send('POST', '/api/user/wallet/challenge', { walletAddress: address })
  return { status: answer.statusCode, ...answer.json<{ message: string; expiresAt: string }>() }
}
const signed = (message: string, key: KeyObject) =>
  sign(null, Buffer.from(message), key).toString('base64')
const prove = (person: Person, message: string, signature: string) =>
  person.send('POST', '/api/user/wallet/proof', { message, signature })
const proveWith = async (person: Person, { address, key }: Wallet) => {
  const { message } = await challenge(person, address)
  return prove(person, message, signed(message, key))
}
const statusOf = async (person: Person) => await person.read('/api/user/wallet')
const none = { walletAddress: null, verifiedAt: null }

describe('the text to sign', () => {
  it('is a sign-in message of this site for this wallet, for five minutes', async () => {
    const { status, message, expiresAt } = await challenge(ana, wallet.address)
    expect(status).toBe(200)
    const lines = message.split('\n')
    expect(
      lines.map((line) => line.replace(/(Nonce|Issued At|Expiration Time): .*/, '$1')),
    ).toEqual([
      '127.0.0.1:3000 wants you to sign in with your Solana account:',
      wallet.address,
      '',
      'Prove that this wallet is yours. Nothing is paid and nothing can be spent.',
      '',
      'URI: http://127.0.0.1:3000',
      'Version: 1',
      'Nonce',
      'Issued At',
      'Expiration Time',
    ])
    expect(lines[7]).toMatch(/^Nonce: [0-9a-f]{32}$/)
    expect(lines[9]).toBe(`Expiration Time: ${expiresAt}`)
    const issued = Date.parse(lines[8]!.replace('Issued At: ', ''))
    expect(Date.parse(expiresAt) - issued).toBe(300_000)
  })

  const formatSentence = 'Please enter a valid Solana wallet address format.'
  it.each<[string | null, string]>([
    ['short', formatSentence],
    ['11111111111111111111111111111111', formatSentence],
    // The neutral element, and a point of order 8.
    ...[
      `01${'00'.repeat(31)}`,
      'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
    ].map((key): [string, string] => [
      encodeBase58(Buffer.from(key, 'hex')),
      'This address cannot be proven.',
    ]),
    [null, formatSentence],
  ])('is refused for the address %j, at its field', async (walletAddress, message) => {
    const refused = await ana.send('POST', '/api/user/wallet/challenge', { walletAddress })
    const errors = [{ path: 'walletAddress', message }]
    expect([refused.statusCode, refused.json().errors]).toEqual([400, errors])
  })
})

describe('a proof', () => {
  it('connects the wallet and says since when it is proven', async () => {
    expect(await statusOf(ana)).toEqual(none)
    const answer = await proveWith(ana, wallet)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      walletAddress: wallet.address,
      verifiedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    expect(await statusOf(ana)).toEqual(answer.json())
    expect((await ana.read('/api/user/profile')).solanaWallet).toBe(wallet.address)
  })

  it('by the key of another wallet is refused', async () => {
    const { message } = await challenge(ana, wallet.address)
    expect(await told(prove(ana, message, signed(message, newWallet().key)))).toBe(
      '400 The signature is not one of this wallet.',
    )
    expect(await statusOf(ana)).toEqual(none)
  })

  it('counts once, and only for the exact text', async () => {
    const { message } = await challenge(ana, wallet.address)
    const changed = message.replace(/Nonce: ./, 'Nonce: x')
    for (const text of [changed, message]) {
      // The first attempt has used the challenge up, so that the second comes too late.
      expect(await coded(prove(ana, text, signed(text, wallet.key)))).toBe('409 wrong_state')
    }
    expect((await proveWith(ana, wallet)).statusCode).toBe(200)
  })

  it('is refused after five minutes, in another session, and for another user', async () => {
    const late = await challenge(ana, wallet.address)
    t.clock.advance(301)
    const elsewhere = { cookie: await sessionCookie(t, ana.id) }
    expect((await prove(ana, late.message, signed(late.message, wallet.key))).statusCode).toBe(409)

    const { message } = await challenge(ana, wallet.address)
    const payload = { message, signature: signed(message, wallet.key) }
    expect((await prove(ben, message, payload.signature)).statusCode).toBe(409)
    const answer = await t.visitor.send('POST', '/api/user/wallet/proof', payload, elsewhere)
    expect(answer.statusCode).toBe(409)
    expect([await statusOf(ana), await statusOf(ben)]).toEqual([none, none])
  })

  it.each([{ signature: 'AAAA' }, { signature: null }, { message: '' }, { message: 7 }])(
    'with %j is no proof',
    async (change) => {
      const { message } = await challenge(ana, wallet.address)
      const body = { message, signature: signed(message, wallet.key), ...change }
      expect((await ana.send('POST', '/api/user/wallet/proof', body)).statusCode).toBe(400)
    },
  )
})

describe('a wallet that somebody else has', () => {
  it('goes to who proves it, when it was only typed', async () => {
    await ben.send('PUT', '/api/user/wallet', { walletAddress: wallet.address })
    expect((await proveWith(ana, wallet)).statusCode).toBe(200)
    expect(await statusOf(ben)).toEqual(none)
  })

  it('stays with who has proven it first', async () => {
    await proveWith(ana, wallet)
    const taken = '409 Another account has proven this wallet already.'
    expect(await told(proveWith(ben, wallet))).toBe(taken)
    expect((await statusOf(ana)).verifiedAt).not.toBeNull()
    expect(await statusOf(ben)).toEqual(none)
    await ben.send('PUT', '/api/user/wallet', { walletAddress: wallet.address })
    expect(await statusOf(ben)).toEqual({ walletAddress: wallet.address, verifiedAt: null })
  })

  it('is not named where the database fails', async () => {
    const transaction = vi.spyOn(t.db, 'transaction').mockRejectedValueOnce(new Error('away'))
    expect((await proveWith(ana, wallet)).statusCode).toBe(500)
    transaction.mockRestore()
  })
})
