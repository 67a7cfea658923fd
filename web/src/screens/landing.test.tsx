// The first screen, and that its static twin in the page is the same.

import { authContract, coinsContract, packsContract } from '@redpack/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import page from '../../index.html?raw'
import { answers, hangs, mockServer, refuses, replies } from '../../test/mock-server.ts'
import { renderApp } from '../../test/render.tsx'
import { sampleUser } from '../../test/samples.ts'
import { findToast } from '../../test/toasts.ts'

const server = mockServer()
const tagline =
  'Open digital packs, collect amazing prizes, and experience the thrill of winning. Connect with your Twitch account to get started!'

beforeEach(() => {
  server.use(
    refuses(authContract.me, 401, 'Unauthorized'),
    answers(packsContract.stats, { totalPacks: 0, packsOpened: 0 }),
    answers(packsContract.openings, []),
  )
})

async function openAdmin() {
  const rendered = await renderApp('/')
  await rendered.user.click(screen.getByRole('button', { name: 'System Access' }))
  await screen.findByRole('heading', { name: 'Admin Access' })
  return rendered
}

async function signIn(username = 'root', password = 'secret') {
  const rendered = await openAdmin()
  await rendered.user.type(screen.getByLabelText('Username'), username)
  await rendered.user.type(screen.getByLabelText('Password'), password)
  await rendered.user.click(screen.getByRole('button', { name: 'Login' }))
  return rendered
}

describe('the landing screen', () => {
  it('shows title and tagline to visitors', async () => {
    await renderApp('/')
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Redpack')
    expect(screen.getByText(tagline)).toBeTruthy()
  })

  it('leads to what needs no account', async () => {
    server.use(hangs(coinsContract.leaderboard))
    const { user, router } = await renderApp('/')
    expect(screen.getByRole('link', { name: 'Fairness' }).getAttribute('href')).toBe('/fairness')
    await user.click(screen.getByRole('link', { name: 'Leaderboard' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/leaderboard'))
  })

  it('sends the browser to /api/auth/twitch', async () => {
    const assign = vi.fn()
    vi.stubGlobal('location', { ...window.location, assign })
    const { user } = await renderApp('/')
    await user.click(screen.getByRole('button', { name: 'Login with Twitch' }))
    expect(assign.mock.calls).toEqual([['/api/auth/twitch']])
  })

  it('shows a spinner while the session resolves', async () => {
    server.use(hangs(authContract.me))
    await renderApp('/')
    expect(screen.getByText('Loading')).toBeTruthy()
    expect(document.querySelector('.animate-spin')).not.toBeNull()
  })

  it('shows only a spinner meanwhile to whoever was signed in before', async () => {
    localStorage.setItem('redpack:signed-in', '1')
    server.use(hangs(authContract.me))
    await renderApp('/')
    expect(screen.queryByRole('heading')).toBeNull()
    expect(screen.getByText('Loading')).toBeTruthy()
  })

  it('invites nobody who was signed in before to sign in while that cannot be asked', async () => {
    localStorage.setItem('redpack:signed-in', '1')
    server.use(refuses(authContract.me, 503, 'Unavailable'))
    const { user, router } = await renderApp('/')
    expect(await screen.findByText('We could not check who is signed in')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Login with Twitch' })).toBeNull()
    // Staff go on to the local account, whatever answers.
    expect(screen.getByRole('button', { name: 'System Access' })).toBeTruthy()
    server.use(answers(authContract.me, sampleUser()))
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'))
  })

  it('leads on to the dashboard when signed in', async () => {
    server.use(answers(authContract.me, sampleUser()))
    const { router } = await renderApp('/')
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'))
  })

  it('says why a login came back without a session, once', async () => {
    const { router } = await renderApp('/?authError=denied')
    expect(await screen.findByText('Login failed')).toBeTruthy()
    await waitFor(() => expect(router.state.location.search).toEqual({}))
  })

  it('says nothing for a reason it does not know', async () => {
    await renderApp('/?authError=constructor')
    expect(screen.queryByText('Login failed')).toBeNull()
  })
})

describe('the static twin of the landing screen', () => {
  function shapeOf(root: ParentNode): unknown[] {
    return [...root.children].map((element) => ({
      tag: element.tagName,
      classes: [...element.classList],
      src: element.getAttribute('src'),
      role: element.getAttribute('role'),
      text: element.children.length === 0 ? element.textContent?.replace(/\s+/g, ' ').trim() : '',
      inside: shapeOf(element),
    }))
  }

  it('has the same elements, classes and texts as the screen while it waits', async () => {
    server.use(hangs(authContract.me))
    await renderApp('/')
    const parsed = new DOMParser().parseFromString(page, 'text/html')
    expect(shapeOf(parsed.querySelector('.hero')!)).toEqual(
      shapeOf(document.querySelector('.hero')!),
    )
  })

  it('has nothing inline that the content security policy would refuse', () => {
    const parsed = new DOMParser().parseFromString(page, 'text/html')
    expect(parsed.querySelectorAll('style, [style], script:not([src])')).toHaveLength(0)
    expect(
      [...parsed.querySelectorAll('*')].flatMap((element) => element.getAttributeNames()),
    ).not.toContainEqual(expect.stringMatching(/^on/))
  })
})

describe('the admin mode', () => {
  it("'System Access' opens its title, fields and button, 'Back to normal login' leaves it", async () => {
    const { user } = await openAdmin()
    expect(screen.queryByText(tagline)).toBeNull()
    const card = within(screen.getByRole('region', { name: 'Admin Access' }))
    expect(card.getByText('Local administrator login')).toBeTruthy()
    expect(card.getByLabelText('Username')).toBeTruthy()
    expect(card.getByLabelText('Password')).toHaveProperty('type', 'password')
    expect(card.getByRole('button', { name: 'Login' })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Back to normal login' }))
    expect(screen.getByText(tagline)).toBeTruthy()
  })

  it('is disabled and reads Authenticating... while pending', async () => {
    server.use(hangs(authContract.local))
    await signIn()
    const button = await screen.findByRole('button', { name: 'Authenticating...' })
    expect(button.ariaDisabled).toBe('true')
    expect(screen.getByLabelText('Username')).toHaveProperty('disabled', true)
    expect(screen.getByLabelText('Password')).toHaveProperty('disabled', true)
  })

  it.each([
    ['a username', '', 'secret', 'Username'],
    ['a password', 'root', '', 'Password'],
    ['both', '', '', 'Username'],
  ])('sends nothing without %s and marks the field', async (_, name, word, blank) => {
    const sent = vi.fn(() => HttpResponse.json({ message: 'Invalid credentials' }, { status: 401 }))
    server.use(replies(authContract.local, sent))
    const { user } = await openAdmin()
    if (name !== '') await user.type(screen.getByLabelText('Username'), name)
    if (word !== '') await user.type(screen.getByLabelText('Password'), word)
    await user.click(screen.getByRole('button', { name: 'Login' }))
    expect(screen.getByLabelText(blank).matches(':invalid')).toBe(true)
    // A wrong answer shows a message; the next press with both proves that requests are seen.
    if (name === '') await user.type(screen.getByLabelText('Username'), 'root')
    if (word === '') await user.type(screen.getByLabelText('Password'), 'secret')
    await user.click(screen.getByRole('button', { name: 'Login' }))
    await findToast({ title: 'Error' })
    expect(sent).toHaveBeenCalledTimes(1)
  })

  it('sends one letter as it is', async () => {
    let sent: unknown
    server.use(
      replies(authContract.local, async (request) => {
        sent = await request.json()
        return HttpResponse.json({ message: 'Invalid credentials' }, { status: 401 })
      }),
    )
    await signIn('a', 'b')
    await waitFor(() => expect(sent).toEqual({ username: 'a', password: 'b' }))
  })

  it('answers every failure with Invalid credentials, and goes back to the password', async () => {
    server.use(refuses(authContract.local, 429, 'Too many attempts'))
    await signIn()
    const description = 'Invalid credentials'
    await findToast({ title: 'Error', description, variant: 'destructive' })
    const password = screen.getByLabelText('Password')
    expect(document.activeElement).toBe(password)
    expect(password.getAttribute('aria-invalid')).toBe('true')
  })

  it('asks for the session again and goes on after a success', async () => {
    let asked = 0
    const user = sampleUser({ role: 'super_user' })
    server.use(
      replies(authContract.me, () => {
        asked += 1
        return asked === 1 ? new HttpResponse('', { status: 401 }) : HttpResponse.json(user)
      }),
      answers(authContract.local, { success: true, message: 'Local admin login successful', user }),
    )
    const { router } = await signIn()
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'))
    expect(asked).toBe(2)
    await findToast({ title: 'Success', description: 'Local admin login successful' })
  })
})
