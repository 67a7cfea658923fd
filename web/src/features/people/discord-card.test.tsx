// The Discord card: when it counts as connected, and what is said on the way in and out.

import {
  authContract,
  notificationsContract,
  type Profile,
  themeContract,
  themeDefault,
  usersContract,
} from '@redpack/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { answers, mockServer, refuses, replies } from '../../../test/mock-server.ts'
import { renderApp } from '../../../test/render.tsx'
import { sampleUser } from '../../../test/samples.ts'
import { toastStore } from '../../ui/feedback/toast.ts'
import { sampleNotifications } from '../outbox/sample-notifications.fixture.ts'
import { sampleProfile } from './sample-profile.fixture.ts'

const server = mockServer()
const linked = { discordId: '80351110224678912', discordUsername: 'luna.disc' }
let stored: Profile
let calls: number

beforeEach(() => {
  calls = 0
  server.use(
    answers(themeContract.theme, themeDefault),
    answers(authContract.me, sampleUser()),
    replies(usersContract.profile, () => HttpResponse.json(stored)),
    answers(notificationsContract.read, sampleNotifications()),
    replies(authContract.discordDisconnect, () => {
      calls += 1
      stored = sampleProfile()
      return HttpResponse.json({ success: true, message: 'ok' })
    }),
  )
})

async function openCard(change: Partial<Profile> = {}, search = '') {
  stored = sampleProfile(change)
  const rendered = await renderApp(`/profile${search}`)
  return { ...rendered, card: await screen.findByRole('group', { name: 'Discord Connection' }) }
}

const shown = () => toastStore.get().toasts[0]

describe('the Discord card', () => {
  it.each([
    [{ discordId: linked.discordId, discordUsername: null }],
    [{ discordId: null, discordUsername: linked.discordUsername }],
    [{ discordId: '', discordUsername: linked.discordUsername }],
  ])('counts %j as not connected', async (change) => {
    const { card } = await openCard(change)
    expect(within(card).getByText('Not connected')).toBeTruthy()
    const link = within(card).getByRole('link', { name: 'Connect Discord' })
    expect(link.getAttribute('href')).toBe('/api/auth/discord')
  })

  it('counts as connected with both id and name', async () => {
    const { card } = await openCard(linked)
    expect(within(card).getByText('Connected')).toBeTruthy()
    expect(within(card).getByText('luna.disc')).toBeTruthy()
    expect(within(card).queryByRole('link')).toBeNull()
  })

  it('disconnects by its call and says so for 3 seconds', async () => {
    const { user, card } = await openCard(linked)
    await user.click(within(card).getByRole('button', { name: 'Disconnect' }))
    expect(await within(card).findByText('Not connected')).toBeTruthy()
    expect(calls).toBe(1)
    expect(shown()).toMatchObject({
      title: 'Discord Disconnected',
      description: 'Your Discord account has been disconnected.',
      duration: 3000,
    })
    expect(document.activeElement).toBe(card)
  })

  it("says the server's sentence for 5 seconds when it fails", async () => {
    server.use(refuses(authContract.discordDisconnect, 503, 'Try later'))
    const { user, card } = await openCard(linked)
    await user.click(within(card).getByRole('button', { name: 'Disconnect' }))
    await waitFor(() =>
      expect(shown()).toMatchObject({
        title: 'Error',
        description: 'Try later',
        variant: 'destructive',
        duration: 5000,
      }),
    )
    expect(within(card).getByText('Connected')).toBeTruthy()
  })

  it('has words of its own for a failure without any', async () => {
    const { user, card } = await openCard(linked)
    vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error(''))
    await user.click(within(card).getByRole('button', { name: 'Disconnect' }))
    await waitFor(() => expect(shown()?.description).toBe('Failed to disconnect Discord account'))
  })
})

describe('coming back from Discord', () => {
  it.each([
    ['connected', 'Discord Connected', 'default', 3000],
    ['taken', 'Error', 'destructive', 5000],
    ['failed', 'Error', 'destructive', 5000],
  ])('with %s says %s and clears the address', async (outcome, title, variant, duration) => {
    const { router } = await openCard({}, `?discord=${outcome}`)
    await waitFor(() => expect(shown()).toMatchObject({ title, variant, duration }))
    await waitFor(() => expect(router.state.location.searchStr).toBe(''))
    expect(toastStore.get().log).toHaveLength(1)
  })

  it('leaves the reason on the card when the account belongs to somebody else', async () => {
    const { card } = await openCard({}, '?discord=taken')
    expect(await within(card).findByText(/already linked to another user/)).toBeTruthy()
  })

  it('says nothing about a word it does not know', async () => {
    const { router } = await openCard({}, '?discord=%3Cscript%3E')
    await waitFor(() => expect(router.state.location.searchStr).toBe(''))
    expect(shown()).toBeUndefined()
  })
})
