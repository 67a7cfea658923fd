// The navigation bar: the balance, the names of its icons, the menu of the avatar.

import { authContract, type SessionUser } from '@redpack/contract'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { answers, mockServer, replies } from '../../test/mock-server.ts'
import { renderApp } from '../../test/render.tsx'
import { sampleUser } from '../../test/samples.ts'
import { announceBalance } from '../features/session/balance-queries.ts'
import { formatRedCoin } from '../lib/format.ts'

const server = mockServer()

/** An address that is nobody's, so that only the bar is there to look at. */
const nowhere = '/nowhere'

async function signedIn(change: Partial<SessionUser> = {}) {
  server.use(answers(authContract.me, sampleUser(change)))
  const rendered = await renderApp(nowhere)
  await screen.findByRole('button', { name: /^Account of/ })
  return rendered
}

/** As an opening does: whatever asks the server again from here on hears the same. */
function changeBalance(redCoinBalance: number): void {
  server.use(answers(authContract.me, sampleUser({ redCoinBalance })))
  act(() => announceBalance(redCoinBalance))
}

describe('the bar', () => {
  it('follows an announced balance and reads the final one out', async () => {
    await signedIn({ redCoinBalance: 1_234_567 })
    expect(screen.getByText('RedCoin').textContent).toBe('1,234,567 RedCoin')
    changeBalance(1_234_500)
    await screen.findByText('Your balance is 1,234,500 RedCoin')
    await waitFor(() => expect(screen.getByText('RedCoin').textContent).toBe('1,234,500 RedCoin'))
  })

  it('keeps a new balance to itself while a dialog is open', async () => {
    const { user } = await signedIn({ redCoinBalance: 1000 })
    await user.click(screen.getByRole('button', { name: 'Open menu' }))
    changeBalance(960)
    const sentence = `Your balance is ${formatRedCoin(960)}`
    // What is read out stands in the page by the time that the number has rolled to its end.
    await waitFor(
      () => expect(screen.getByText('RedCoin').textContent).toBe(formatRedCoin(960)),
      // The number rolls for most of the usual second, and a busy machine takes longer.
      { timeout: 5_000 },
    )
    expect(screen.queryByText(sentence)).toBeNull()
    await user.keyboard('{Escape}')
    expect(await screen.findByText(sentence)).toBeTruthy()
  })
})

it('shows the picture of its user; without one, or when it does not come, the letter', async () => {
  const account = () => screen.getByRole('button', { name: /^Account of/ })
  const { unmount } = await signedIn({ displayName: 'émile', avatar: '/art/fox.svg' })
  expect(account().textContent).toBe('')
  expect(account().querySelector('img')?.getAttribute('src')).toBe('/art/fox.svg')
  fireEvent.error(account().querySelector('img')!)
  expect(account().textContent).toBe('É')
  unmount()
  await signedIn({ displayName: 'ana' })
  expect(account().textContent).toBe('A')
})

it('breaks a name that is wider than the window', async () => {
  const { user } = await signedIn({ displayName: 'W'.repeat(50) })
  await user.click(screen.getByRole('button', { name: /^Account of/ }))
  expect(screen.getByText('W'.repeat(50)).className).toContain('wrap-anywhere')
  expect(screen.getByRole('menu').className).toContain('max-w-[calc(100vw-1rem)]')
})

describe('without a network', () => {
  it('does not offer a sign-in, which needs one', async () => {
    server.use(replies(authContract.me, () => HttpResponse.error()))
    await renderApp(nowhere)
    await screen.findByRole('heading', { level: 1 })
    await waitFor(() => expect(screen.queryByRole('status', { name: 'Loading' })).toBeNull())
    expect(screen.queryByRole('link', { name: /Login/ })).toBeNull()
    expect(screen.queryByRole('button', { name: /Login/ })).toBeNull()
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
})
