// Streamer mode on every screen of a player: what is private does not stand in the page.

import {
  authContract,
  claimsContract,
  coinsContract,
  historyContract,
  notificationsContract,
  packsContract,
  storeContract,
  usersContract,
  walletProofContract,
} from '@redpack/contract'
import { configure, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { answers, mockServer, replies } from '../../test/mock-server.ts'
import { renderApp } from '../../test/render.tsx'
import { sampleOwnClaim, samplePagination, sampleUser } from '../../test/samples.ts'
import { sampleNotifications } from '../features/outbox/sample-notifications.fixture.ts'
import { sampleOffer } from '../features/packs/opening-samples.fixture.ts'
import { OpeningSummary } from '../features/packs/opening-summary.tsx'
import { spokenResult } from '../features/packs/rarity.ts'
import { ClaimIdPlate } from '../features/packs/result-view.tsx'
import { sampleProfile } from '../features/people/sample-profile.fixture.ts'
import { streamerMode } from '../lib/streamer-mode.ts'
import { toastStore } from '../ui/feedback/toast.ts'
import { revealMs } from '../ui/media/masked.tsx'

configure({ defaultHidden: true })

const wallet = '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK'
const balance = 987_654
const email = 'luna@example.org'
const claimId = 'PR-7K3M9QXA'
const secrets = [wallet, balance.toLocaleString(), String(balance), email, claimId]

const user = sampleUser({ redCoinBalance: balance, email, solanaWallet: wallet })
const profile = sampleProfile({ redCoinBalance: balance, email, solanaWallet: wallet })
const claim = sampleOwnClaim({}, { claimId })
const ranked = {
  rank: 1,
  displayName: 'Luna Fox',
  username: 'lunafox',
  avatar: null,
  redCoinBalance: balance,
}

const server = mockServer(
  answers(authContract.me, user),
  answers(usersContract.profile, profile),
  answers(notificationsContract.read, sampleNotifications()),
  answers(walletProofContract.status, { walletAddress: wallet, verifiedAt: null }),
  answers(claimsContract.list, { claims: [claim], pagination: samplePagination(1) }),
  answers(coinsContract.leaderboard, [ranked, { ...ranked, username: 'ben', redCoinBalance: 4 }]),
  answers(coinsContract.ownRank, {
    rank: 60,
    redCoinBalance: balance,
    isHidden: false,
    neighbours: [{ ...ranked, isSelf: true }],
  }),
  answers(historyContract.redCoin, {
    entries: [
      {
        id: 1,
        createdAt: '2026-11-20T10:00:00.000Z',
        amount: 5,
        type: 'watch_reward',
        description: 'Watched Ana',
        balanceAfter: balance,
        prizeName: null,
        openingId: null,
      },
    ],
    pagination: samplePagination(1),
  }),
  answers(packsContract.stats, { totalPacks: 1, packsOpened: 2 }),
  answers(packsContract.openings, []),
  answers(storeContract.listings, [
    sampleOffer({ redCoinPrice: 1, quantityAvailable: 5, isUnlimited: true }),
  ]),
)

function expectNoSecret() {
  const inputs = [...document.querySelectorAll('input')].map(({ value }) => value)
  const titles = [...document.querySelectorAll('[title]')].map((one) => one.getAttribute('title'))
  const names = [...document.querySelectorAll('[aria-label]')].map((one) => one.ariaLabel)
  const page = [document.body.textContent, ...inputs, ...titles, ...names].join(' ')
  expect(secrets.filter((secret) => page.includes(secret))).toEqual([])
}

const screens: readonly [path: string, ready: string | RegExp][] = [
  ['/dashboard', 'Total Opened'],
  ['/my-prizes', 'Hoodie'],
  ['/store', 'Total Cost'],
  ['/profile', 'Personal Information'],
  ['/leaderboard', 'Places around yours'],
  ['/history', 'Watched Ana'],
]

async function open(path: string, ready: string | RegExp) {
  const view = await renderApp(path)
  await waitFor(() =>
    expect(screen.queryAllByText(ready).length + screen.queryAllByLabelText(ready).length).not.toBe(
      0,
    ),
  )
  return view
}

describe('without streamer mode', () => {
  it.each(screens)('%s shows something private', async (path, ready) => {
    await open(path, ready)
    expect(expectNoSecret).toThrow()
  })
})

describe('with streamer mode', () => {
  beforeEach(() => streamerMode.set(true))

  it.each(screens)('%s shows nothing private, and says that it is hidden', async (path, ready) => {
    await open(path, ready)
    expectNoSecret()
    expect(screen.getAllByText('hidden').length).toBeGreaterThan(1)
  })

  it('shows what is under a cover by a press, with the focus in its place, for a moment', async () => {
    const view = await open('/my-prizes', 'Hoodie')
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const card = within(screen.getByRole('article', { name: 'Hoodie' }))
    await view.user.click(card.getByRole('button', { name: /^Claim ID.*press to show$/ }))
    expect(card.getByText(claimId)).toBeTruthy()
    expect(document.activeElement?.textContent).toContain(claimId)
    vi.advanceTimersByTime(revealMs + 100)
    await waitFor(() => expect(card.queryByText(claimId)).toBeNull())
    expect(document.activeElement?.textContent).toMatch(/^Claim ID.*press to show$/)
  })

  it('says without the balance that it is too small', async () => {
    const view = await open('/store', 'Total Cost')
    await view.user.type(screen.getByRole('spinbutton', { name: 'Quantity' }), '000000')
    await view.user.click(screen.getByRole('button', { name: 'Insufficient RedCoin' }))
    expect(await screen.findByText('You need 1,000,000 RedCoin but have less.')).toBeTruthy()
    expectNoSecret()
  })

  it('says without the balance that the server found it too small', async () => {
    const view = await open('/store', 'Total Cost')
    server.use(
      replies(storeContract.purchase, () => {
        const message = `You need 500 RedCoin but only have ${balance}.`
        return HttpResponse.json({ code: 'insufficient_redcoin', message }, { status: 400 })
      }),
    )
    await view.user.click(screen.getByRole('button', { name: 'Purchase' }))
    expect(await screen.findByText('You do not have enough RedCoin.')).toBeTruthy()
    expect(JSON.stringify(toastStore.get())).not.toContain(String(balance))
    expectNoSecret()
  })

  it('keeps a field that is being worked with', async () => {
    const view = await open('/profile', 'Personal Information')
    await view.user.click(screen.getByRole('button', { name: /^Email.*press to show$/ }))
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe(email)
  })

  it('covers Claim IDs and totals of an opening, and does not read them out', async () => {
    const won = {
      id: 1,
      won: true,
      prize: { ...claim.prize, packTypeId: null, packQuantity: 0 },
      redCoinEarned: 0,
      claimId,
    } as never
    render(
      <>
        <ClaimIdPlate claimId={claimId} />
        <OpeningSummary title="All" packName="Gold" results={[won]} seen={1} />
      </>,
    )
    expectNoSecret()
    expect(screen.queryByRole('button', { name: 'Copy Claim ID' })).toBeNull()
    expect(spokenResult(won, 0, 1, true)).toMatch(/Claim ID hidden\.$/)
    const [first] = screen.getAllByRole('button', { name: /^Claim ID/ })
    await userEvent.click(first!)
    expect(screen.getByRole('button', { name: 'Copy Claim ID' })).toBeTruthy()
  })
})

describe('the switch of streamer mode', () => {
  it('stands in the menu of the account and works at once', async () => {
    const view = await open('/dashboard', 'Total Opened')
    await view.user.click(screen.getByRole('button', { name: 'Account of Luna Fox' }))
    await view.user.click(screen.getByRole('menuitemcheckbox', { name: /^Streamer mode/ }))
    expectNoSecret()
    expect(streamerMode.isOn()).toBe(true)
  })

  it('stands on the profile', async () => {
    const view = await open('/profile', 'Personal Information')
    await view.user.click(screen.getByRole('switch', { name: 'Hide private details' }))
    expectNoSecret()
    await view.user.click(screen.getByRole('switch', { name: 'Hide private details' }))
    expect(expectNoSecret).toThrow()
  })

  it('is followed from another tab', async () => {
    await open('/dashboard', 'Total Opened')
    localStorage.setItem('redpack:streamer-mode', 'on')
    window.dispatchEvent(new StorageEvent('storage', { key: 'redpack:streamer-mode' }))
    await waitFor(expectNoSecret)
  })
})
