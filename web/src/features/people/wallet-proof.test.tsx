// Proving a wallet: which wallets are found, what is signed, and what comes of it.

import { authContract, usersContract, walletProofContract } from '@redpack/contract'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { records, type Sent } from '../../../test/catalogue-samples.ts'
import { answers, mockServer, refuses } from '../../../test/mock-server.ts'
import { renderPart } from '../../../test/render.tsx'
import { sampleUser } from '../../../test/samples.ts'
import { otherAddress, sampleAddress, sampleProfile } from './sample-profile.fixture.ts'
import { WalletCard } from './wallet-card.tsx'
import type { PhantomProvider } from './wallet-proof.tsx'

const server = mockServer()
const profile = sampleProfile({ solanaWallet: sampleAddress })
const signature = new Uint8Array(64).fill(7)
const proven = { walletAddress: sampleAddress, verifiedAt: '2026-11-20T10:00:00.000Z' }
let sent: Sent[]

beforeEach(() => {
  sent = []
  server.use(
    answers(authContract.me, sampleUser()),
    answers(usersContract.profile, profile),
    answers(walletProofContract.status, { walletAddress: sampleAddress, verifiedAt: null }),
    records(
      walletProofContract.challenge,
      { message: 'Sign me', expiresAt: '2026-11-20T10:05:00.000Z' },
      sent,
    ),
    records(walletProofContract.prove, proven, sent),
  )
})

function phantom(change: Partial<PhantomProvider> = {}) {
  const signed: string[] = []
  vi.stubGlobal('phantom', {
    solana: {
      isPhantom: true,
      connect: async () => ({ publicKey: { toString: () => sampleAddress } }),
      signMessage: async (message: Uint8Array) => {
        signed.push(new TextDecoder().decode(message))
        return { signature }
      },
      ...change,
    },
  })
  return signed
}

/** A wallet that waits for pages to be ready, as extensions do, until the test ends. */
function announceWallet(name: string, change: object = {}) {
  const account = { address: sampleAddress }
  const wallet = {
    name,
    chains: ['solana:mainnet'],
    features: {
      'standard:connect': { connect: async () => ({ accounts: [account] }) },
      'solana:signMessage': { signMessage: async () => [{ signedMessage: null, signature }] },
    },
    ...change,
  }
  const tell = (event: Event) => {
    if ('detail' in event) (event.detail as { register(one: object): void }).register(wallet)
  }
  window.addEventListener('wallet-standard:app-ready', tell)
  return () => window.removeEventListener('wallet-standard:app-ready', tell)
}

async function verify() {
  const view = await renderPart(<WalletCard profile={profile} />)
  await view.user.click(await screen.findByRole('button', { name: 'Verify ownership' }))
  return view
}

describe('a wallet that is not proven', () => {
  it('is proven by signing the text of the server with Phantom', async () => {
    const signed = phantom()
    await verify()
    expect(await screen.findByText('Verified.')).toBeTruthy()
    expect(signed).toEqual(['Sign me'])
    expect(sent.map(({ body }) => body)).toEqual([
      { walletAddress: sampleAddress },
      { message: 'Sign me', signature: btoa(String.fromCharCode(...signature)) },
    ])
    expect(screen.queryByRole('button', { name: 'Verify ownership' })).toBeNull()
  })

  it('is proven with a wallet of the Wallet Standard, chosen among several', async () => {
    const stops = [announceWallet('Solflare'), announceWallet('Backpack')]
    const { user } = await verify()
    await user.click(await screen.findByRole('button', { name: 'Sign with Backpack' }))
    expect(await screen.findByText('Verified.')).toBeTruthy()
    for (const stop of stops) stop()
  })

  it('counts Phantom once when it stands in the page twice, and no wallet of other chains', async () => {
    phantom()
    const stops = [announceWallet('Phantom'), announceWallet('Ether', { chains: ['eip155:1'] })]
    await verify()
    expect(await screen.findByText('Verified.')).toBeTruthy()
    for (const stop of stops) stop()
  })

  it('stays as it is when the wallet holds another address', async () => {
    phantom({ connect: async () => ({ publicKey: { toString: () => otherAddress } }) })
    await verify()
    expect(await screen.findByText('Another Wallet')).toBeTruthy()
    expect(sent).toEqual([])
  })

  it('stays as it is, without alarm, when its owner declines', async () => {
    phantom({ signMessage: () => Promise.reject(Object.assign(new Error('No'), { code: 4001 })) })
    await verify()
    const toast = (await screen.findByText('Not Signed')).closest<HTMLElement>('.toast')
    expect(toast?.dataset.variant).not.toBe('destructive')
    expect(sent).toHaveLength(1)
  })

  it('says what the server has against it', async () => {
    phantom()
    server.use(refuses(walletProofContract.prove, 409, 'Another account has proven this wallet.'))
    await verify()
    expect(await screen.findByText('Another account has proven this wallet.')).toBeTruthy()
    expect(screen.queryByText('Verified.')).toBeNull()
  })

  it('needs a wallet in the page that can sign', async () => {
    phantom({ signMessage: undefined })
    await verify()
    expect(await screen.findByText('No Wallet Found')).toBeTruthy()
  })
})

describe('a proven wallet', () => {
  it('says since when', async () => {
    server.use(answers(walletProofContract.status, proven))
    await renderPart(<WalletCard profile={profile} />)
    await waitFor(() => expect(screen.getByText('Verified.')).toBeTruthy())
    expect(screen.getByText(/that this wallet is yours/).textContent).toContain('days ago')
  })
})
