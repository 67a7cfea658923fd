// Profile Settings as a signed-in player uses it: the account, the form, and leaving it.

import {
  authContract,
  coinsContract,
  notificationsContract,
  type Profile,
  usersContract,
} from '@redpack/contract'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { answers, hangs, mockServer, refuses, replies } from '../../test/mock-server.ts'
import { renderApp } from '../../test/render.tsx'
import { sampleUser } from '../../test/samples.ts'
import { sampleNotifications } from '../features/outbox/sample-notifications.fixture.ts'
import { sampleAddress, sampleProfile } from '../features/people/sample-profile.fixture.ts'
import { changedTopics } from '../lib/changed-topics.ts'

const server = mockServer()
let stored: Profile
let saved: unknown[]

beforeEach(() => {
  stored = sampleProfile()
  saved = []
  server.use(
    answers(authContract.me, sampleUser()),
    answers(coinsContract.leaderboard, []),
    answers(notificationsContract.read, sampleNotifications()),
    replies(usersContract.profile, () => HttpResponse.json(stored)),
    replies(usersContract.updateProfile, async (request) => {
      const change = (await request.json()) as Partial<Profile>
      saved.push(change)
      stored = { ...stored, ...change }
      return HttpResponse.json(stored)
    }),
  )
})

async function openProfile() {
  const rendered = await renderApp('/profile')
  await screen.findByRole('heading', { name: 'Personal Information' })
  // The messages come in a file of their own, with the first press.
  fireEvent.pointerDown(document.body)
  await screen.findByRole('region', { name: /Messages/ })
  return rendered
}

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name)
const optionsOf = (name: string) => [...screen.getByLabelText<HTMLSelectElement>(name).options]
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const messages = () => screen.getByRole('region', { name: /Messages/ })

describe('the profile', () => {
  it('shows name, member-since date, status, balance, and the cards for wallet and Discord', async () => {
    await openProfile()
    expect(screen.getByRole('heading', { name: 'Luna Fox', level: 2 })).toBeTruthy()
    const definition = (term: string) => screen.getByText(term).nextElementSibling?.textContent
    expect(definition('Member since')).toBe('Jan 2, 2026')
    expect(definition('Account status')).toBe('Active')
    expect(definition('Balance')).toBe('1,200 RedCoin')
    expect(screen.getByRole('heading', { name: 'Solana Wallet' })).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'Discord Connection' })).toBeTruthy()
  })
})

describe('the form', () => {
  it('holds the five fields, both switches and both buttons', async () => {
    await openProfile()
    expect(field('Display name').value).toBe('Luna Fox')
    expect(field('Email').value).toBe('luna@example.com')
    expect(field('Bio').value).toBe('Hello')
    expect(field('Country').value).toBe('DE')
    const countries = optionsOf('Country')
    expect(countries.map(({ value }) => value)).toEqual(['', 'US', 'CA', 'UK', 'DE', 'FR'])
    expect(countries[0]?.textContent).toBe('None')
    expect(field('Time zone').value).toBe('Europe/Berlin')
    const zones = optionsOf('Time zone').map(({ value }) => value)
    expect(zones.length).toBeGreaterThan(300)
    for (const zone of ['UTC', 'GMT', 'America/New_York', 'Asia/Tokyo']) {
      expect(zones.filter((one) => one === zone)).toHaveLength(1)
    }
    const on = async (name: string) =>
      (await screen.findByRole('switch', { name })).getAttribute('aria-checked')
    expect(await on('Email notifications')).toBe('true')
    expect(await on('Prize notifications')).toBe('false')
    expect(button('Save Changes').disabled).toBe(false)
    expect(button('Reset').disabled).toBe(false)
    // Saving does not lead past the way out.
    const names = screen.getAllByRole('button').map(({ textContent }) => textContent)
    expect(names.indexOf('Delete my account')).toBeGreaterThan(names.indexOf('Save Changes'))
  })

  it('keeps the switch for mail where no mail can be sent, and says so', async () => {
    server.use(answers(notificationsContract.read, sampleNotifications({}, false)))
    const { user } = await openProfile()
    expect(await screen.findByText(/^Email is not set up here yet/)).toBeTruthy()
    await user.click(screen.getByRole('switch', { name: 'Email notifications' }))
    await user.click(button('Save Changes'))
    // Prize notifications are off in the sample, and stay so.
    const notifications = { email: false, prizes: false }
    await waitFor(() => expect(saved).toMatchObject([{ notifications }]))
  })

  it('sends the seven fields and says that it is saved', async () => {
    stored = sampleProfile({ solanaWallet: sampleAddress })
    const { user } = await openProfile()
    await user.clear(field('Display name'))
    await user.type(field('Display name'), ' Luna the Fox ')
    await user.clear(field('Email'))
    await user.selectOptions(field('Country'), '')
    fireEvent.change(field('Time zone'), { target: { value: 'UTC' } })
    await user.click(screen.getByRole('switch', { name: 'Prize notifications' }))
    await user.click(button('Save Changes'))
    expect(await within(messages()).findByText('Profile updated successfully!')).toBeTruthy()
    expect(within(messages()).getByText('Success')).toBeTruthy()
    expect(saved).toEqual([
      {
        displayName: 'Luna the Fox',
        email: null,
        bio: 'Hello',
        country: null,
        timezone: 'UTC',
        notifications: { email: true, prizes: true, rewards: true },
        solanaWallet: sampleAddress,
      },
    ])
    expect(await screen.findByText('All changes saved')).toBeTruthy()
    expect(field('Display name').value).toBe('Luna the Fox')
    expect(screen.getByRole('heading', { name: 'Luna the Fox' })).toBeTruthy()
  })

  it('leaves the wallet alone while that is being disconnected', async () => {
    stored = sampleProfile({ solanaWallet: sampleAddress })
    server.use(hangs(usersContract.updateWallet))
    const { user } = await openProfile()
    await user.click(button('Disconnect'))
    await user.click(button('Save Changes'))
    await waitFor(() => expect(saved).toHaveLength(1))
    expect(saved[0]).not.toHaveProperty('solanaWallet')
  })

  it.each([
    ['a blank name', 'Display name', '', 'Display name is required'],
    [
      '51 characters of name',
      'Display name',
      'x'.repeat(51),
      'Display name must be 50 characters or less',
    ],
    ['a bad email', 'Email', 'abc', 'Invalid email'],
    ['501 characters of bio', 'Bio', 'x'.repeat(501), 'Bio must be less than 500 characters'],
  ])('refuses %s', async (_, label, text, sentence) => {
    const { user } = await openProfile()
    await user.clear(field(label))
    if (text !== '') {
      await user.click(field(label))
      await user.paste(text)
    }
    await user.click(button('Save Changes'))
    expect(await screen.findByText(sentence)).toBeTruthy()
    expect(field(label).getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(field(label))
    expect(saved).toEqual([])
  })

  it('takes 50 characters of name, 500 of bio and no email', async () => {
    const { user } = await openProfile()
    const paste = async (label: string, text: string) => {
      await user.clear(field(label))
      await user.click(field(label))
      await user.paste(text)
    }
    await paste('Display name', 'x'.repeat(50))
    await paste('Bio', 'y'.repeat(500))
    await user.clear(field('Email'))
    await user.click(button('Save Changes'))
    await within(messages()).findByText('Profile updated successfully!')
    expect(saved).toMatchObject([
      { displayName: 'x'.repeat(50), bio: 'y'.repeat(500), email: null },
    ])
  })

  it('puts the loaded values back without a call', async () => {
    const { user } = await openProfile()
    await user.type(field('Bio'), ' there')
    await user.selectOptions(field('Country'), 'FR')
    expect(screen.getByText('You have unsaved changes')).toBeTruthy()
    await user.click(button('Reset'))
    expect(field('Bio').value).toBe('Hello')
    expect(field('Country').value).toBe('DE')
    expect(screen.getByText('All changes saved')).toBeTruthy()
    expect(saved).toEqual([])
  })

  it("shows the server's sentence when saving fails, at the field too", async () => {
    server.use(
      replies(usersContract.updateProfile, () =>
        HttpResponse.json(
          { message: 'Invalid email', errors: [{ path: 'email', message: 'Invalid email' }] },
          { status: 400 },
        ),
      ),
    )
    const { user } = await openProfile()
    await user.click(button('Save Changes'))
    const toast = await within(messages()).findByText('Invalid email')
    expect(toast.closest('[data-variant]')?.getAttribute('data-variant')).toBe('destructive')
    expect(within(messages()).getByText('Error')).toBeTruthy()
    expect(field('Email').getAttribute('aria-invalid')).toBe('true')
  })
})

describe('a profile that cannot be saved', () => {
  it('has words of its own for a failure without any', async () => {
    const { user } = await openProfile()
    vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error(''))
    await user.click(button('Save Changes'))
    expect(await within(messages()).findByText('Failed to update profile')).toBeTruthy()
  })
})

describe('unsaved changes', () => {
  it('are asked about before the page is left, and let go for good when that is wanted', async () => {
    const { user, router } = await openProfile()
    await user.type(field('Bio'), '!')
    const leave = () => router.navigate({ to: '/leaderboard' })
    void leave()
    const dialog = await screen.findByRole('alertdialog', { name: 'Leave without saving?' })
    await user.click(within(dialog).getByRole('button', { name: 'Stay here' }))
    expect(router.state.location.pathname).toBe('/profile')
    expect(field('Bio').value).toBe('Hello!')
    void leave()
    await user.click(await screen.findByRole('button', { name: 'Leave without saving' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/leaderboard'))
    await waitFor(() => expect(JSON.stringify(sessionStorage)).not.toContain('draft'))
  })

  it('do not hold up anyone who changed nothing', async () => {
    const { router } = await openProfile()
    await router.navigate({ to: '/leaderboard' })
    expect(router.state.location.pathname).toBe('/leaderboard')
  })

  it('outlive the session and come back with the next one', async () => {
    const first = await openProfile()
    await first.user.type(field('Bio'), ', kept')
    server.use(refuses(authContract.me, 401, 'Unauthorized'))
    await first.queryClient.invalidateQueries({ queryKey: [authContract.me.path] })
    await waitFor(() => expect(first.router.state.location.pathname).toBe('/'))
    first.unmount()

    server.use(answers(authContract.me, sampleUser()))
    await openProfile()
    expect(field('Bio').value).toBe('Hello, kept')
    expect(screen.getByText('Your unsaved changes from before are back')).toBeTruthy()
  })

  it('stay while the server has news about other fields', async () => {
    const { user } = await openProfile()
    await user.type(field('Bio'), '!')
    stored = sampleProfile({ email: 'other@example.com', solanaWallet: sampleAddress })
    act(() => changedTopics.announce(['user'], 'news'))
    await waitFor(() => expect(field('Email').value).toBe('other@example.com'))
    expect(field('Bio').value).toBe('Hello!')
    await user.click(button('Save Changes'))
    await waitFor(() => expect(saved).toHaveLength(1))
    expect(saved[0]).toMatchObject({ email: 'other@example.com', solanaWallet: sampleAddress })
  })
})
