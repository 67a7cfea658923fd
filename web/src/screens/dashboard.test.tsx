// The dashboard as a player sees it.

import { authContract, type Holding, type Opening, packsContract } from '@redpack/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { testBegin, testNow } from '../../../tools/test-clock.ts'
import { answers, hangs, mockServer, refuses } from '../../test/mock-server.ts'
import { renderPart } from '../../test/render.tsx'
import { sampleOpening, sampleUser } from '../../test/samples.ts'
import { formatDate, formatNumber } from '../lib/format.ts'
import { DashboardScreen } from './dashboard.tsx'

const server = mockServer()

async function renderDashboard(openings: Opening[] = [], totalPacks = 7, holdings: Holding[] = []) {
  server.use(
    answers(authContract.me, sampleUser({ redCoinBalance: 123456 })),
    answers(packsContract.stats, { totalPacks, packsOpened: 42 }),
    answers(packsContract.openings, openings),
    answers(packsContract.holdings, holdings),
  )
  const rendered = await renderPart(<DashboardScreen />)
  await screen.findByRole('heading', { level: 1 })
  return rendered
}

function holding(packTypeId: number, quantity: number): Holding {
  const packType = {
    id: packTypeId,
    name: 'Lucky Pack',
    description: '',
    icon: 'gem',
    color: 'red',
  }
  const imageUrl = `/art/${packTypeId}.svg`
  return { packTypeId, quantity, oddsHash: 'a1', packType: { ...packType, imageUrl } }
}

function link(name: RegExp): HTMLElement {
  return screen.getByRole('link', { name })
}

function rows(): (string | null)[] {
  return screen.getAllByRole('listitem').map((row) => row.textContent)
}

describe('the dashboard', () => {
  it('renders nothing unless signed in', async () => {
    server.use(refuses(authContract.me, 401, 'Unauthorized'))
    const { queryClient } = await renderPart(<DashboardScreen />)
    await waitFor(() => expect(queryClient.getQueryData([authContract.me.path])).toBeNull())
    expect(screen.queryByRole('heading')).toBeNull()
    expect(screen.queryByRole('link')).toBeNull()
  })

  it('shows placeholders while loading', async () => {
    server.use(
      answers(authContract.me, sampleUser()),
      hangs(packsContract.stats),
      hangs(packsContract.openings),
    )
    await renderPart(<DashboardScreen />)
    await screen.findByRole('heading', { level: 1 })
    expect(within(link(/Available Packs/)).queryByText(/\d/)).toBeNull()
    expect(link(/Available Packs/).querySelector('.skeleton')).not.toBeNull()
    expect(document.querySelectorAll('[aria-busy="true"]').length).toBeGreaterThan(0)
  })

  it.each([
    ['back', '2026-01-02T10:00:00.000Z', 'Welcome back, Luna Fox!'],
    ['for the first time', testBegin.toISOString(), 'Welcome, Luna Fox!'],
  ])('welcomes by displayName who is here %s', async (_, createdAt, greeting) => {
    server.use(
      answers(authContract.me, sampleUser({ createdAt })),
      hangs(packsContract.stats),
      hangs(packsContract.openings),
    )
    await renderPart(<DashboardScreen />)
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe(greeting)
  })

  it('shows the three numbers, each card one link', async () => {
    await renderDashboard()
    await waitFor(() => expect(link(/Available Packs/).textContent).toContain('7'))
    expect(link(/Available Packs/).getAttribute('href')).toBe('/inventory')
    expect(link(/Total Opened/).textContent).toContain('42')
    expect(link(/Total Opened/).getAttribute('href')).toBe('/history?view=openings')
    expect(link(/RedCoin Balance/).textContent).toContain(formatNumber(123456))
  })

  it('leads to packs, store and profile', async () => {
    await renderDashboard()
    expect(screen.queryByRole('link', { name: /^My Prizes/ })).toBeNull()
    expect(link(/^Open Packs/).getAttribute('href')).toBe('/inventory')
    expect(link(/^Store/).getAttribute('href')).toBe('/store')
    expect(link(/^Store/).textContent).toContain('purchase packs with RedCoin')
    expect(link(/^Profile Settings/).getAttribute('href')).toBe('/profile')
  })

  it('lists the five latest openings, newest first, in any order they come', async () => {
    await renderDashboard([3, 6, 1, 5, 2, 4].map((day) => sampleOpening(day, day, `Prize ${day}`)))
    await screen.findByText('Won: Prize 6')
    expect(rows().map((row) => row?.match(/Prize \d/)?.[0])).toEqual([
      'Prize 6',
      'Prize 5',
      'Prize 4',
      'Prize 3',
      'Prize 2',
    ])
  })

  it('says what each opening brought, from which pack, and when', async () => {
    const createdAt = new Date(testNow() - 60_000).toISOString()
    const openings = [{ ...sampleOpening(1, 20, 'Hoodie'), createdAt }, sampleOpening(2, 19)]
    await renderDashboard(openings)
    await screen.findByText('Won: Hoodie')
    expect(link(/^Won: Hoodie/).getAttribute('href')).toBe('/my-prizes')
    expect(rows()).toEqual([
      `Won: HoodieFrom Crown Pack - ${formatDate(openings[0]!.createdAt)}`,
      `No prize this timeFrom Crown Pack - ${formatDate(openings[1]!.createdAt)}+5 RedCoin`,
    ])
  })

  it('invites to the first pack when there were no openings', async () => {
    await renderDashboard([], 0)
    expect(await screen.findByText('No recent activity. Start opening packs!')).toBeTruthy()
    expect(link(/^Open Your First Pack$/).getAttribute('href')).toBe('/inventory')
  })

  it('says what to do next', async () => {
    await renderDashboard()
    expect(await screen.findByText('7 packs to open')).toBeTruthy()
    expect(link(/^Open now/).getAttribute('href')).toBe('/inventory')
    expect(link(/^Earn more/).getAttribute('href')).toBe('/twitch-streams')
  })

  it('shows the packs that are owned', async () => {
    const plain = holding(3, 1)
    const owned = [
      holding(1, 7),
      holding(2, 0),
      { ...plain, packType: { ...plain.packType, imageUrl: null } },
    ]
    await renderDashboard([], 8, owned)
    await screen.findByText('8 packs to open')
    const pictures = () =>
      [...document.querySelectorAll('.next-step-fan > span')].map(
        (card) => card.querySelector('img')?.getAttribute('src') ?? card.getAttribute('data-theme'),
      )
    await waitFor(() => expect(pictures()).toEqual(['/art/1.svg', 'red']))
  })

  it('keeps what it knows when statistics fail, and tries again', async () => {
    server.use(
      answers(authContract.me, sampleUser()),
      refuses(packsContract.stats, 500, 'Internal server error'),
      answers(packsContract.openings, []),
    )
    const { user } = await renderPart(<DashboardScreen />)
    expect(await screen.findByText('Error loading your statistics')).toBeTruthy()
    expect(link(/RedCoin Balance/).textContent).toContain(formatNumber(1200))
    server.use(answers(packsContract.stats, { totalPacks: 3, packsOpened: 1 }))
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    await waitFor(() => expect(link(/Available Packs/).textContent).toContain('3'))
  })
})
