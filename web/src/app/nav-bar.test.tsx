// The navigation bar and the sheet of small screens.

import { authContract, coinsContract, type Role, type SessionUser } from '@redpack/contract'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { answers, mockServer, refuses } from '../../test/mock-server.ts'
import { fetchTabs, renderApp } from '../../test/render.tsx'
import { sampleUser } from '../../test/samples.ts'
import { announceBalance } from '../features/session/balance-queries.ts'
import { formatRedCoin } from '../lib/format.ts'

beforeAll(fetchTabs, 60_000)

const server = mockServer()

/** An address that is nobody's, so that only the bar is there to look at. */
const nowhere = '/nowhere'

async function signedIn(change: Partial<SessionUser> = {}) {
  server.use(answers(authContract.me, sampleUser(change)), answers(coinsContract.leaderboard, []))
  const rendered = await renderApp(nowhere)
  await screen.findByRole('button', { name: /^Account of/ })
  return rendered
}

/** As an opening does: whatever asks the server again from here on hears the same. */
function changeBalance(redCoinBalance: number): void {
  server.use(answers(authContract.me, sampleUser({ redCoinBalance })))
  act(() => announceBalance(redCoinBalance))
}

async function signedOut() {
  server.use(refuses(authContract.me, 401, 'Unauthorized'))
  const rendered = await renderApp(nowhere)
  await screen.findByRole('button', { name: /Login/ })
  return rendered
}

function bar() {
  return within(screen.getByRole('navigation', { name: 'Main' }))
}

function linksIn(part: ReturnType<typeof within>): string[] {
  return part
    .getAllByRole('link')
    .map((a: HTMLElement) => `${a.textContent} ${a.getAttribute('href')}`)
}

const six = [
  'Dashboard /dashboard',
  'My Inventory /inventory',
  'My Prizes /my-prizes',
  'Store /store',
  'Twitch Rewards /twitch-streams',
  'Leaderboard /leaderboard',
]

describe('the bar', () => {
  it('has the six links when signed in', async () => {
    await signedIn()
    expect(linksIn(bar()).slice(0, 6)).toEqual(six)
  })

  it('has none of them for visitors, the leaderboard included', async () => {
    await signedOut()
    expect(linksIn(bar())).toHaveLength(1)
    expect(screen.queryByRole('link', { name: 'Leaderboard' })).toBeNull()
  })

  it('leads home from the brand', async () => {
    await signedOut()
    expect(screen.getByRole('link', { name: 'Redpack' }).getAttribute('href')).toBe('/')
  })

  it.each<[Role, boolean]>([
    ['user', false],
    ['admin', true],
    ['super_user', true],
  ])('shows the Admin link to the role %s: %s', async (role, isShown) => {
    await signedIn({ role })
    const admin = bar().queryByRole('link', { name: 'Admin' })
    expect(admin?.getAttribute('href')).toBe(isShown ? '/admin' : undefined)
  })

  it('leads to the shop in a new tab', async () => {
    await signedOut()
    const shop = bar().getByRole('link', { name: /^Get More Packs/ })
    expect(shop.getAttribute('href')).toMatch(/^https:\/\/.+/)
    expect(shop.getAttribute('target')).toBe('_blank')
    expect(shop.getAttribute('rel')).toBe('noopener noreferrer')
  })

  it('marks the link of the current screen', async () => {
    const { router } = await signedIn()
    await act(() => router.navigate({ to: '/leaderboard' }))
    await waitFor(() =>
      expect(
        bar()
          .getAllByRole('link')
          .filter((a) => a.getAttribute('aria-current') === 'page')
          .map((a) => a.textContent),
      ).toEqual(['Leaderboard']),
    )
  })

  it('shows the balance as a localized number and RedCoin', async () => {
    await signedIn({ redCoinBalance: 1234567 })
    expect(screen.getByText('RedCoin').textContent).toBe(formatRedCoin(1234567))
  })

  it('follows an announced balance and reads the final one out', async () => {
    await signedIn({ redCoinBalance: 1000 })
    changeBalance(950)
    await screen.findByText(`Your balance is ${formatRedCoin(950)}`)
    await waitFor(() => expect(screen.getByText('RedCoin').textContent).toBe(formatRedCoin(950)))
  })

  it('keeps a new balance to itself while a dialog is open', async () => {
    const { user } = await signedIn({ redCoinBalance: 1000 })
    await user.click(screen.getByRole('button', { name: 'Open menu' }))
    changeBalance(960)
    const sentence = `Your balance is ${formatRedCoin(960)}`
    // What is read out stands in the page by the time that the number has rolled to its end.
    await waitFor(() => expect(screen.getByText('RedCoin').textContent).toBe(formatRedCoin(960)))
    expect(screen.queryByText(sentence)).toBeNull()
    await user.keyboard('{Escape}')
    expect(await screen.findByText(sentence)).toBeTruthy()
  })

  it('offers the login to visitors, in long and in short', async () => {
    await signedOut()
    const button = screen.getByRole('button', { name: /Login/ })
    const [short, long] = [...button.querySelectorAll('span')]
    expect(short?.textContent).toBe('Login')
    expect(short?.className).toContain('sm:hidden')
    expect(long?.textContent).toBe('Login with Twitch')
    expect(long?.className).toContain('hidden sm:inline')
  })
})

describe('a button that shows only an icon', () => {
  const hover = (name: string) =>
    fireEvent.pointerMove(screen.getByRole('button', { name }), { pointerType: 'mouse' })
  const leave = (name: string) => {
    fireEvent.pointerLeave(screen.getByRole('button', { name }), { pointerType: 'mouse' })
    fireEvent.keyDown(document, { key: 'Escape' })
  }
  const shown = () => screen.queryByRole('tooltip')?.textContent
  const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms))

  it('is named by a tooltip once the pointer has rested on it for 700 ms', async () => {
    await signedIn()
    vi.useFakeTimers()
    hover('Open menu')
    pass(699)
    expect(shown()).toBeUndefined()
    pass(1)
    expect(shown()).toBe('Open menu')
  })

  it('is named at once within 300 ms after another one, and waits again later', async () => {
    await signedIn()
    vi.useFakeTimers()
    hover('Open menu')
    pass(700)
    leave('Open menu')
    pass(299)
    hover('Notices')
    pass(0)
    expect(shown()).toMatch(/^Notices/)
    leave('Notices')
    pass(301)
    hover('Open menu')
    pass(0)
    expect(shown()).toBeUndefined()
  })
})

describe('the menu of the avatar', () => {
  it('leads to Profile and Logout', async () => {
    const { user } = await signedIn()
    await user.click(screen.getByRole('button', { name: 'Account of Luna Fox' }))
    const items = screen.getAllByRole('menuitem')
    expect(items.map((item) => `${item.textContent} ${item.getAttribute('href')}`)).toEqual([
      'Profile /profile',
      'History /history',
      'Logout /logout',
    ])
  })

  it('shows the first letter of the name in upper case without an image', async () => {
    await signedIn({ displayName: 'émile', avatar: null })
    expect(screen.getByRole('button', { name: 'Account of émile' }).textContent).toBe('É')
  })
})

describe('the sheet of small screens', () => {
  async function openSheet(role: Role = 'user') {
    const rendered = await signedIn({ role })
    await rendered.user.click(screen.getByRole('button', { name: 'Open menu' }))
    return { ...rendered, sheet: screen.getByRole('dialog') }
  }

  it('is named after the brand and says what it is for', async () => {
    const { sheet } = await openSheet()
    expect(within(sheet).getByRole('heading', { name: 'Redpack' })).toBeTruthy()
    expect(within(sheet).getByText('Navigate to any page quickly')).toBeTruthy()
    expect(linksIn(within(sheet)).slice(0, 6)).toEqual(six)
  })

  it("calls the admin link 'Admin Panel' there", async () => {
    const { sheet } = await openSheet('admin')
    const admin = within(sheet).getByRole('link', { name: 'Admin Panel' })
    expect(admin.getAttribute('href')).toBe('/admin')
  })

  it('opens, and closes with the choice of any of its links', async () => {
    const { user } = await signedIn({ role: 'admin' })
    // Only the sheet is looked at; the screens have tests of their own.
    server.use(http.get('/api/*', () => new Promise<Response>(() => {})))
    const sheet = () => screen.getByRole('dialog', { name: 'Redpack' })
    const open = () => user.click(screen.getByRole('button', { name: 'Open menu' }))
    await open()
    const names = within(sheet())
      .getAllByRole('link')
      .map((link) => link.textContent ?? '')
    expect(names).toHaveLength(8)
    for (const name of names) {
      await user.click(within(sheet()).getByText(name.replace(/\(.*/, '')))
      await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Redpack' })).toBeNull())
      await open()
    }
  })

  it('is three quarters wide, up to 384 px', async () => {
    const { sheet } = await openSheet()
    expect(sheet.className).toContain('w-3/4')
    expect(sheet.className).toContain('max-w-[384px]')
  })
})
