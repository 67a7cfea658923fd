// Who gets to see which screen, and what a change of screen does.

import {
  authContract,
  claimsContract,
  type EndpointShape,
  isScreenAddress,
  packsContract,
  screens,
  storeContract,
  usersContract,
  watchContract,
} from '@redpack/contract'
import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { answers, hangs, mockServer, refuses } from '../../test/mock-server.ts'
import { renderApp } from '../../test/render.tsx'
import { sampleUser } from '../../test/samples.ts'
import { loggingOut } from '../features/session/logging-out.ts'
import { createAppRouter } from './router.tsx'

const server = mockServer()

afterEach(() => {
  loggingOut.set(false)
})

function nobody() {
  server.use(refuses(authContract.me, 401, 'Unauthorized'))
}

function somebody() {
  server.use(
    answers(authContract.me, sampleUser()),
    answers(packsContract.stats, { totalPacks: 0, packsOpened: 0 }),
    answers(packsContract.openings, []),
  )
}

describe('screens that need a session', () => {
  it('are all but the few that anybody may see, also those to come', async () => {
    const open = ['/', '/leaderboard', '/logout', '/fairness', '/notifications'].concat([
      '/admin',
      '/admin-new',
    ])
    const closed = Object.keys(createAppRouter().routesByPath).filter(
      (path) => !open.includes(path),
    )
    expect(closed.length).toBeGreaterThan(6)
    for (const path of closed) {
      nobody()
      const { router, unmount } = await renderApp(path)
      await waitFor(() => expect([path, router.state.location.pathname]).toEqual([path, '/']))
      unmount()
    }
  })

  it('wait with a spinner while the session resolves', async () => {
    server.use(hangs(authContract.me))
    await renderApp('/dashboard')
    expect(screen.getByText('Loading')).toBeTruthy()
    expect(screen.queryByRole('heading')).toBeNull()
  })

  it('wait with a spinner while a logout is in progress, as every other does', async () => {
    for (const path of ['/dashboard', '/notifications', '/no/such/page']) {
      somebody()
      const { unmount } = await renderApp(path)
      await screen.findByRole('heading', { level: 1 })
      act(() => loggingOut.set(true))
      expect(screen.getByText('Loading')).toBeTruthy()
      expect(screen.queryByRole('heading', { level: 1 })).toBeNull()
      unmount()
      loggingOut.set(false)
    }
  })

  it('stay where they are when the server cannot be asked', async () => {
    server.use(refuses(authContract.me, 500, 'Internal server error'))
    const { router, user } = await renderApp('/dashboard')
    expect(await screen.findByText('We could not check who is signed in')).toBeTruthy()
    expect(router.state.location.pathname).toBe('/dashboard')
    somebody()
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByRole('heading', { name: 'Welcome back, Luna Fox!' })).toBeTruthy()
  })

  it('say that there is no network, and ask again by themselves when there is one', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    server.use(refuses(authContract.me, 500, 'Internal server error'))
    await renderApp('/dashboard')
    expect(await screen.findByText('You are offline')).toBeTruthy()
    somebody()
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true)
    act(() => void window.dispatchEvent(new Event('online')))
    expect(await screen.findByRole('heading', { name: 'Welcome back, Luna Fox!' })).toBeTruthy()
  })

  const { streams, sessions, completions } = watchContract
  it.each<[path: string, heading: string, ...asked: EndpointShape[]]>([
    ['/dashboard', 'Welcome back, Luna Fox!'],
    ['/inventory', 'Pack Inventory', packsContract.types],
    ['/my-prizes', 'My Prizes', claimsContract.list],
    ['/store', 'Pack Store', storeContract.listings],
    ['/profile', 'Profile Settings', usersContract.profile],
    ['/twitch-streams', 'Watch Rewards', streams, sessions, completions],
  ])('show at %s to a player: %s', async (path, name, ...asked) => {
    somebody()
    server.use(...asked.map(hangs))
    await renderApp(path)
    expect(await screen.findByRole('heading', { level: 1, name })).toBeTruthy()
  })
})

describe('any other path', () => {
  it('is what the server does not know as a screen either', () => {
    const paths = Object.keys(createAppRouter().routesByPath)
    const known = paths.filter((path) => path !== '/').map((path) => path.toLowerCase())
    expect(known.sort()).toEqual([...screens].sort())
    expect(isScreenAddress('/no/such/page')).toBe(false)
  })

  it.each(['visitor', 'player'])('is Page Not Found for a %s', async (who) => {
    if (who === 'visitor') nobody()
    else somebody()
    await renderApp('/no/such/page')
    expect(await screen.findByRole('heading', { name: 'Page Not Found' })).toBeTruthy()
  })
})

describe('a change of screen', () => {
  it('names the document, focuses the heading and reads the title out', async () => {
    somebody()
    const { router } = await renderApp('/no-such-page')
    await act(() => router.navigate({ to: '/dashboard' }))
    const heading = await screen.findByRole('heading', { name: 'Welcome back, Luna Fox!' })
    await waitFor(() => expect(document.activeElement).toBe(heading))
    expect(document.title).toBe('Dashboard · Redpack')
    expect(await screen.findByText('Dashboard', { selector: '[aria-live]' })).toBeTruthy()
  })

  it('leaves the focus to whoever has begun on the new screen', async () => {
    somebody()
    const { router } = await renderApp('/no-such-page')
    const field = document.createElement('input')
    router.subscribe('onRendered', () => {
      document.querySelector('main')?.append(field)
      field.focus()
    })
    await act(() => router.navigate({ to: '/dashboard' }))
    expect(await screen.findByText('Dashboard', { selector: '[aria-live]' })).toBeTruthy()
    expect(document.activeElement).toBe(field)
  })

  it('keeps one way past the bar', async () => {
    somebody()
    await renderApp('/dashboard')
    const skip = screen.getByRole('link', { name: 'Skip to content' })
    expect(document.querySelector(skip.getAttribute('href')!)?.tagName).toBe('MAIN')
  })
})
