// The admin panel: who comes in by which door, and its overview.

import {
  type AdminStats,
  adminEconomyContract,
  adminLogContract,
  adminOverviewContract,
  authContract,
  drawLogContract,
  type Role,
} from '@redpack/contract'
import { act, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { retryAtOnce } from '../../test/held-waits.ts'
import { answers, hangs, mockServer, refuses, replies } from '../../test/mock-server.ts'
import { renderApp } from '../../test/render.tsx'
import { sampleUser } from '../../test/samples.ts'
import { expectDone, expectFailed } from '../../test/toasts.ts'
import { adminStatsQuery } from '../features/books/overview-panel.tsx'
import { toastStore } from '../ui/feedback/toast.ts'

const server = mockServer()
const stats: AdminStats = {
  totalUsers: 5321,
  activeUsers: 214,
  packsOpenedToday: 931,
  totalPackOpenings: 1_203_444,
  totalRedCoins: 48_211_003,
  totalPrizes: 42,
  prizesClaimedToday: 287,
  storePurchasesToday: 118,
  recentActivity: 1422,
  lastDays: Array.from({ length: 30 }, (_, index) => ({
    day: `2026-10-${String(index + 1).padStart(2, '0')}`,
    newUsers: index,
    packsOpened: 931,
    prizesClaimed: index === 29 ? 287 : 1,
  })),
  recentOpenings: [
    {
      id: 1,
      createdAt: '2026-11-21T09:00:00.000Z',
      username: 'viewer_one',
      packTypeName: 'Gold Pack',
      prizeName: 'Hoodie',
    },
  ],
  serverHealth: {
    uptime: 3725,
    memoryUsage: { used: 182, total: 512 },
    nodeVersion: 'v20.19.5',
    platform: 'linux',
    cpuUsage: { user: 15_233, system: 2310 },
  },
  books: {
    drift: 0,
    checkedAt: '2026-11-21T09:00:00.000Z',
    runningSince: null,
    failingSince: null,
    isOverdue: false,
  },
}

beforeEach(() => {
  server.use(
    answers(authContract.me, sampleUser({ role: 'admin' })),
    answers(adminOverviewContract.stats, stats),
    hangs(adminLogContract.state),
    hangs(drawLogContract.observed),
  )
})

const as = (role: Role) => server.use(answers(authContract.me, sampleUser({ role })))
const visitor = () => server.use(refuses(authContract.me, 401, 'Unauthorized'))
const findTitle = () => screen.findByRole('heading', { level: 1, name: 'Admin Panel' })

/** The value that stands beside a term. */
function valueBeside(term: string): string | null | undefined {
  return screen.getByText(term, { selector: 'dt, dt *' }).closest('dt')?.nextElementSibling
    ?.textContent
}

describe.each(['/admin', '/admin-new'])('the door of %s', (address) => {
  it.each(['admin', 'super_user'] as const)('lets %s in', async (role) => {
    as(role)
    await renderApp(address)
    expect(await findTitle()).toBeTruthy()
    expect(screen.getByText('Admin Access')).toBeTruthy()
    const tabs = within(screen.getByRole('navigation', { name: 'Admin tabs' }))
    const [first] = tabs.getAllByRole('link')
    expect(first?.textContent).toBe('Overview')
    expect(first?.getAttribute('aria-current')).toBe('page')
  })

  it('says that it is checking', async () => {
    server.use(hangs(authContract.me))
    await renderApp(address)
    expect(await screen.findByText('Checking authentication...')).toBeTruthy()
  })

  it.each([
    ['a visitor', visitor],
    ['a user', () => as('user')],
  ])('stays closed to %s, without a redirect', async (_, sign) => {
    sign()
    const assign = vi.fn()
    vi.stubGlobal('location', { ...window.location, assign })
    const { router, user } = await renderApp(address)
    expect(await screen.findByRole('heading', { name: 'Access Denied' })).toBeTruthy()
    expect(screen.getByText('You need admin privileges to access this panel.')).toBeTruthy()
    expect(router.state.location.pathname).toBe(address)
    expect(screen.queryByText('Admin Access')).toBeNull()
    const denied = within(screen.getByRole('main'))
    await user.click(denied.getByRole('button', { name: 'Login with Twitch' }))
    expect(assign.mock.calls).toEqual([['/api/auth/twitch']])
  })
})

describe('the door of /admin-old', () => {
  it.each(['admin', 'super_user'] as const)('lets %s in', async (role) => {
    as(role)
    await renderApp('/admin-old')
    expect(await findTitle()).toBeTruthy()
  })

  it('shows a user the way back to the dashboard', async () => {
    as('user')
    await renderApp('/admin-old')
    expect(await screen.findByRole('heading', { name: 'Access Denied' })).toBeTruthy()
    expect(screen.getByText("You don't have permission to access the admin panel.")).toBeTruthy()
    const link = screen.getByRole('link', { name: 'Return to Dashboard' })
    expect(link.getAttribute('href')).toBe('/dashboard')
  })
})

describe('the overview', () => {
  it('is the tab that opens, by its name in the address too', async () => {
    await renderApp('/admin?tab=overview')
    expect(await screen.findByRole('heading', { name: 'Overview' })).toBeTruthy()
  })

  it('has the eight figures', async () => {
    await renderApp('/admin')
    await screen.findByText('5,321')
    const figures: Readonly<Record<string, string>> = {
      'Total Users': '5,321',
      'New Users (7d)': '214',
      'Packs Today': '931',
      'Total Packs': '1,203,444',
      'Total RedCoins': '48,211,003',
      'Active Prizes': '42',
      'Claims Today': '287',
      'Purchases Today': '118',
    }
    for (const [term, value] of Object.entries(figures)) expect(valueBeside(term)).toBe(value)
  })

  it('says of seven of them how they came about in the last 30 days, with a bar a day', async () => {
    const days = Array.from({ length: 30 }, (_, index) => ({
      day: `2026-10-${String(index + 1).padStart(2, '0')}`,
      sources: [{ type: 'watch_reward', amount: index }],
      sinks: [{ type: 'store_purchase', amount: 100 }],
      created: index,
      removed: 100,
    }))
    const totals = { sources: [], sinks: [], created: 435, removed: 3000 }
    server.use(answers(adminEconomyContract.flow, { days, totals, inCirculation: 1 }))
    await renderApp('/admin')
    await screen.findByText('3,000 RedCoin in 30 days')
    const trends = [...document.querySelectorAll('dd:has(svg rect[x="29"])')]
    expect(trends.map(({ textContent }) => textContent)).toEqual([
      '+435 in 30 days',
      '14.5 a day in 30 days',
      '931 a day in 30 days',
      '+27,930 in 30 days',
      '−2,565 in 30 days',
      '10.5 a day in 30 days',
      '3,000 RedCoin in 30 days',
    ])
  })

  it('leads from each figure to its tab, from new users to the newest', async () => {
    await renderApp('/admin')
    await screen.findByText('5,321')
    const tabs = ['Total Users', 'New Users (7d)', 'Packs Today', 'Total RedCoins', 'Claims Today']
    expect(tabs.map((name) => screen.getByRole('link', { name }).getAttribute('href'))).toEqual(
      ['users', 'users&sort=-createdAt', 'pack-types', 'economy', 'claims'].map(
        (tab) => `/admin?tab=${tab}`,
      ),
    )
  })

  it('has server health', async () => {
    await renderApp('/admin')
    expect(await screen.findByRole('heading', { name: 'Server Health' })).toBeTruthy()
    expect(valueBeside('Uptime')).toBe('1 hour 2 minutes')
    expect(valueBeside('Memory')).toBe('182 / 512 MB')
    expect(valueBeside('Node version')).toBe('v20.19.5')
    expect(valueBeside('Platform')).toBe('linux')
    expect(valueBeside('CPU')).toBe('15,233 ms user / 2,310 ms system')
    expect(valueBeside('Books')).toBe('OK')
  })

  it('has the activity monitor', async () => {
    await renderApp('/admin')
    expect(await screen.findByRole('heading', { name: 'Activity Monitor' })).toBeTruthy()
    expect(valueBeside('Recent activity (24h pack openings)')).toBe('1,422')
    expect(valueBeside('Win rate today')).toBe('31%')
    expect(valueBeside('Average RedCoins per user')).toBe('9,061')
    expect(valueBeside('Store purchases today')).toBe('118')
    expect(valueBeside('New user growth (7d)')).toBe('4%')
    expect(screen.getByText('viewer_one')).toBeTruthy()
  })

  it('is cached 30 s, retained 60 s and retried twice', async () => {
    expect(adminStatsQuery).toMatchObject({ staleTime: 30_000, gcTime: 60_000, retry: 2 })
    let asked = 0
    retryAtOnce()
    server.use(
      replies(adminOverviewContract.stats, () => {
        asked += 1
        return HttpResponse.json({ message: 'Not found' }, { status: 404 })
      }),
    )
    const { user } = await renderApp('/admin')
    expect(
      await screen.findByText('Error loading statistics', undefined, { timeout: 8000 }),
    ).toBeTruthy()
    expect(asked).toBe(3)
    server.use(answers(adminOverviewContract.stats, stats))
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('5,321')).toBeTruthy()
  })
})

describe('Reset Statistics', () => {
  async function ask() {
    const rendered = await renderApp('/admin')
    await screen.findByRole('heading', { name: 'Reset Statistics' })
    await rendered.user.click(screen.getByRole('button', { name: 'Reset Total Packs to 0' }))
    const dialog = within(await screen.findByRole('alertdialog'))
    return { ...rendered, dialog }
  }

  it('asks, resets and says how many', async () => {
    server.use(
      answers(adminOverviewContract.resetOpenings, {
        success: true,
        message: 'ok',
        deletedCount: 12,
      }),
    )
    const { user, dialog } = await ask()
    expect(dialog.getByText(/1,203,444 openings/)).toBeTruthy()
    server.use(answers(adminOverviewContract.stats, { ...stats, totalPackOpenings: 0 }))
    await user.click(dialog.getByRole('button', { name: 'Reset Total Packs to 0' }))
    await expectDone('12 pack openings reset')
    await waitFor(() => expect(valueBeside('Total Packs')).toBe('0'))
  })

  it.each([
    ['the sentence of the server', 'Try later', 'Try later'],
    ['words of its own without one', '', 'Failed to reset pack openings count'],
  ])('reports a failure in %s', async (_, message, description) => {
    const { user, dialog } = await ask()
    vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error(message))
    await user.click(dialog.getByRole('button', { name: 'Reset Total Packs to 0' }))
    await expectFailed('Error', description)
  })

  it('ends when the panel is left before it was confirmed', async () => {
    const refusal = { code: 'confirmation_needed', message: 'Confirm' }
    server.use(
      replies(adminOverviewContract.resetOpenings, () =>
        HttpResponse.json(refusal, { status: 403 }),
      ),
    )
    const { user, dialog, router, queryClient } = await ask()
    await user.click(dialog.getByRole('button', { name: 'Reset Total Packs to 0' }))
    await screen.findByRole('dialog', { name: "Confirm it's you" })
    act(() => router.history.push('/nowhere'))
    await waitFor(() => expect(queryClient.isMutating()).toBe(0))
  })

  it('does nothing when it is cancelled', async () => {
    const { user, dialog } = await ask()
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(toastStore.get().log).toEqual([])
  })
})
