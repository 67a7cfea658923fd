// The wallet card: connected through the extension or by hand, copied, updated, disconnected.

import { authContract, type Profile, usersContract } from '@redpack/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { answers, mockServer, refuses, replies } from '../../../test/mock-server.ts'
import { renderPart } from '../../../test/render.tsx'
import { sampleUser } from '../../../test/samples.ts'
import { otherAddress, sampleAddress, sampleProfile } from './sample-profile.fixture.ts'
import { useProfile } from './use-profile-form.ts'
import { WalletCard } from './wallet-card.tsx'
import type { PhantomProvider } from './wallet-proof.tsx'

const server = mockServer()
let stored: Profile
let sent: unknown[]

beforeEach(() => {
  stored = sampleProfile()
  sent = []
  server.use(
    answers(authContract.me, sampleUser()),
    replies(usersContract.profile, () => HttpResponse.json(stored)),
    replies(usersContract.updateWallet, async (request) => {
      const body = (await request.json()) as { walletAddress: string | null }
      sent.push(body)
      stored = { ...stored, solanaWallet: body.walletAddress }
      return HttpResponse.json(stored)
    }),
  )
})

function CardOfProfile() {
  const { data } = useProfile()
  return data ? <WalletCard profile={data} /> : null
}

async function openCard(solanaWallet: string | null = null) {
  stored = sampleProfile({ solanaWallet })
  const rendered = await renderPart(<CardOfProfile />)
  await screen.findByRole('heading', { name: 'Solana Wallet' })
  return rendered
}

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const addressField = () => screen.getByLabelText<HTMLInputElement>('Wallet address')
const card = () => screen.getByRole('group', { name: 'Solana Wallet' })

async function findToast(title: string, description: string) {
  const text = await screen.findByText(description, { selector: '.toast *' })
  const toast = text.closest<HTMLElement>('.toast')
  if (!toast) throw new Error('No message')
  expect(within(toast).getByText(title)).toBeTruthy()
  return toast
}

function injectPhantom(connect: PhantomProvider['connect'], change: Partial<PhantomProvider> = {}) {
  vi.stubGlobal('phantom', { solana: { isPhantom: true, connect, ...change } })
}

const gives = (address: string) => () => Promise.resolve({ publicKey: { toString: () => address } })

describe('a wallet by hand', () => {
  it('connects an address that was typed', async () => {
    const { user } = await openCard()
    expect(within(card()).getByText('Not connected')).toBeTruthy()
    await user.type(addressField(), sampleAddress)
    await user.click(button('Connect'))
    await findToast('Success', 'Wallet connected successfully!')
    expect(sent).toEqual([{ walletAddress: sampleAddress }])
    expect(within(card()).getByText('Connected')).toBeTruthy()
    expect(within(card()).getByText(sampleAddress)).toBeTruthy()
  })

  it('has Connect disabled while the field is blank', async () => {
    const { user } = await openCard()
    expect(button('Connect').disabled).toBe(true)
    await user.type(addressField(), '   ')
    expect(button('Connect').disabled).toBe(true)
    await user.type(addressField(), '7')
    expect(button('Connect').disabled).toBe(false)
  })

  it('asks for an address when Enter is pressed without one', async () => {
    const { user } = await openCard()
    await user.type(addressField(), '{Enter}')
    const toast = await findToast('Invalid Address', 'Please enter a valid Solana wallet address.')
    expect(toast.dataset.variant).toBe('destructive')
    expect(sent).toEqual([])
  })

  it.each([
    ['31 characters', '2'.repeat(31), 'This has 31 characters; an address has 32 to 44.'],
    [
      'an O',
      `7O${sampleAddress.slice(2)}`,
      'The capital letter O cannot be part of an address (character 2).',
    ],
  ])('refuses an address with %s', async (_, text, hint) => {
    const { user } = await openCard()
    await user.click(addressField())
    await user.paste(text)
    await user.click(button('Connect'))
    const toast = await findToast(
      'Invalid Format',
      'Please enter a valid Solana wallet address format.',
    )
    expect(toast.dataset.variant).toBe('destructive')
    expect(screen.getByText(hint)).toBeTruthy()
    expect(sent).toEqual([])
  })

  it.each([
    ['32', '2'.repeat(32)],
    ['44', 'z'.repeat(44)],
  ])("takes %s characters after a question when they are nobody's", async (_, text) => {
    const { user } = await openCard()
    await user.click(addressField())
    await user.paste(text)
    await user.click(button('Connect'))
    const question = within(await screen.findByRole('alertdialog'))
    expect(
      question.getByText('This does not look like a Solana address. Connect it anyway?'),
    ).toBeTruthy()
    expect(sent).toEqual([])
    await user.click(question.getByRole('button', { name: 'Cancel' }))
    expect(sent).toEqual([])
    await user.click(button('Connect'))
    const again = within(await screen.findByRole('alertdialog'))
    await user.click(again.getByRole('button', { name: 'Connect' }))
    await findToast('Success', 'Wallet connected successfully!')
    expect(sent).toEqual([{ walletAddress: text }])
    // Nobody can sign for it, so no proof is offered.
    expect(screen.queryByRole('button', { name: /prove/i })).toBeNull()
  })

  it("shows the server's sentence when the call fails", async () => {
    server.use(refuses(usersContract.updateWallet, 429, 'Too many requests'))
    const { user } = await openCard()
    await user.type(addressField(), `${sampleAddress}{Enter}`)
    await findToast('Error', 'Too many requests')
    expect(within(card()).getByText('Not connected')).toBeTruthy()
    expect(addressField().value).toBe(sampleAddress)
  })
})

describe('a connected wallet', () => {
  it('can be copied', async () => {
    const { user } = await openCard(sampleAddress)
    await user.click(button('Copy wallet address'))
    await findToast('Copied', 'Wallet address copied to clipboard!')
    expect(await navigator.clipboard.readText()).toBe(sampleAddress)
  })

  it('can be updated', async () => {
    const { user } = await openCard(sampleAddress)
    await user.click(button('Update Wallet'))
    await user.type(addressField(), otherAddress)
    await user.click(button('Update'))
    await findToast('Success', 'Wallet updated successfully!')
    expect(sent).toEqual([{ walletAddress: otherAddress }])
    expect(within(card()).getByText(otherAddress)).toBeTruthy()
    expect(screen.queryByLabelText('Wallet address')).toBeNull()
  })

  it('is disconnected by sending null, and the focus stays on the card', async () => {
    const { user } = await openCard(sampleAddress)
    await user.click(button('Disconnect'))
    await findToast('Success', 'Wallet disconnected successfully!')
    expect(sent).toEqual([{ walletAddress: null }])
    expect(within(card()).getByText('Disconnected')).toBeTruthy()
    expect(addressField().value).toBe('')
    await waitFor(() => expect(document.activeElement).toBe(card()))
  })
})

describe('the Phantom extension', () => {
  it.each(['phantom', 'solana'] as const)('is found at window.%s and asked', async (place) => {
    const provider = { isPhantom: true, connect: gives(sampleAddress) }
    vi.stubGlobal(place, place === 'phantom' ? { solana: provider } : provider)
    const { user } = await openCard()
    await user.click(button('Connect with Phantom'))
    await findToast('Success', 'Wallet connected successfully!')
    expect(sent).toEqual([{ walletAddress: sampleAddress }])
    expect(within(card()).getByText('Connected with Phantom')).toBeTruthy()
  })

  it('is waited for when it appears late', async () => {
    const { user } = await openCard()
    await user.click(button('Connect with Phantom'))
    expect(button('Looking for Phantom...').ariaDisabled).toBe('true')
    injectPhantom(gives(sampleAddress))
    await findToast('Success', 'Wallet connected successfully!')
  })

  it('is missed after a second', async () => {
    vi.stubGlobal('solana', { isPhantom: false, connect: gives(otherAddress) })
    const { user } = await openCard()
    await user.click(button('Connect with Phantom'))
    const toast = await findToast(
      'Phantom Wallet Not Found',
      'Please install Phantom wallet extension to connect automatically.',
    )
    expect(toast.dataset.variant).toBe('destructive')
    expect(sent).toEqual([])
    expect(button('Connect with Phantom').ariaDisabled).toBeNull()
  })

  it.each([
    ['fails', { code: -32603 }, 'destructive'],
    ['is declined', { code: 4001 }, 'default'],
  ])('that %s is reported', async (_, error, variant) => {
    vi.spyOn(console, 'warn').mockReturnValue()
    injectPhantom(() => Promise.reject(error))
    const { user } = await openCard()
    await user.click(button('Connect with Phantom'))
    const toast = await findToast(
      'Connection Failed',
      'Failed to connect to Phantom wallet. Please try again.',
    )
    expect(toast.dataset.variant).toBe(variant)
    expect(sent).toEqual([])
  })

  it('is told when its wallet is disconnected here', async () => {
    const disconnect = vi.fn(() => Promise.resolve())
    injectPhantom(gives(sampleAddress), { disconnect })
    const { user } = await openCard(sampleAddress)
    await user.click(button('Disconnect'))
    await findToast('Success', 'Wallet disconnected successfully!')
    expect(disconnect).toHaveBeenCalledOnce()
  })
})
