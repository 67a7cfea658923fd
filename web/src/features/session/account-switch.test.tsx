// A page that was open while somebody else signed in, in another tab.

import {
  authContract,
  noticesContract,
  notificationsContract,
  type SessionUser,
  themeDefault,
  usersContract,
} from '@redpack/contract'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { answers, hangs, mockServer, refuses } from '../../../test/mock-server.ts'
import { renderApp } from '../../../test/render.tsx'
import { sampleUser } from '../../../test/samples.ts'
import { themeQuery } from '../../lib/theme.ts'
import { noToasts, toast, toastStore } from '../../ui/feedback/toast.ts'
import { sampleNotifications } from '../outbox/sample-notifications.fixture.ts'
import { sampleProfile } from '../people/sample-profile.fixture.ts'
import { sessionQuery } from './queries.ts'

const server = mockServer()
const other = sampleUser({ id: 8, displayName: 'Max Bear' })

beforeEach(() => {
  server.use(
    answers(authContract.me, sampleUser()),
    answers(noticesContract.list, { notices: [], unreadCount: 3 }),
    answers(notificationsContract.read, sampleNotifications()),
    answers(usersContract.profile, sampleProfile()),
  )
})

async function open(address: string) {
  const { queryClient } = await renderApp(address)
  await screen.findByRole('button', { name: 'Notices, 3 unread' })
  const isNow = (user: SessionUser | null) => {
    server.use(
      user ? answers(authContract.me, user) : refuses(authContract.me, 401, 'Unauthorized'),
    )
    return act(() => queryClient.refetchQueries({ queryKey: sessionQuery.queryKey }))
  }
  return { queryClient, isNow }
}

const name = () => screen.findByLabelText<HTMLInputElement>('Display name')

it('forgets what the first person typed and was answered, and nothing before', async () => {
  const { isNow } = await open('/profile')
  fireEvent.change(await name(), { target: { value: 'Draft' } })
  toast({ title: 'Prize deleted', action: { label: 'Undo', onSelect: () => undefined } })
  await isNow(sampleUser({ redCoinBalance: 5 }))
  expect(toastStore.get().log).toHaveLength(1)
  expect((await name()).value).toBe('Draft')
  server.use(
    answers(usersContract.profile, sampleProfile({ id: 8, displayName: 'Max Bear' })),
    hangs(noticesContract.list),
  )
  await isNow(other)
  expect((await name()).value).toBe('Max Bear')
  expect(toastStore.get()).toEqual(noToasts)
  expect(screen.getByRole('button', { name: 'Notices' })).toBeTruthy()
})

it('forgets it also on a public screen, and when nobody was signed in between', async () => {
  const { queryClient, isNow } = await open('/nowhere')
  queryClient.setQueryData(themeQuery.queryKey, themeDefault)
  server.use(hangs(noticesContract.list))
  await isNow(null)
  await screen.findByRole('button', { name: /Login/ })
  await isNow(other)
  expect(await screen.findByRole('button', { name: 'Account of Max Bear' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Notices' })).toBeTruthy()
  expect(queryClient.getQueryData(themeQuery.queryKey)).toEqual(themeDefault)
})

it('lists no message to somebody who has left, and keeps drafts for nobody else', async () => {
  const draft = 'redpack:delivery-draft:PR-ABCDEFGH'
  const { isNow } = await open('/nowhere')
  sessionStorage.setItem(draft, '{}')
  toast({ title: 'Your session has ended' })
  await isNow(null)
  expect(toastStore.get()).toMatchObject({ toasts: [{ isOpen: true }], log: [] })
  toast({ title: 'Login failed' })
  await isNow(null)
  expect(toastStore.get().log).toHaveLength(1)
  await isNow(sampleUser())
  expect(Object.keys(sessionStorage)).toContain(draft)
  await isNow(null)
  await isNow(other)
  expect(Object.keys(sessionStorage)).not.toContain(draft)
})

it.each(['in another tab', 'before this page was loaded'])(
  'ends the pushed news of who was signed in %s',
  async (when) => {
    const unsubscribe = vi.fn(async () => true)
    const pushManager = { getSubscription: async () => ({ unsubscribe }) }
    const value = { getRegistration: async () => ({ pushManager }) }
    Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value })
    onTestFinished(() => void Reflect.deleteProperty(navigator, 'serviceWorker'))
    vi.stubGlobal('PushManager', class {})
    const { isNow } = await open('/nowhere')
    await isNow(sampleUser({ redCoinBalance: 5 }))
    expect(unsubscribe).not.toHaveBeenCalled()
    if (when === 'in another tab') await isNow(other)
    else {
      cleanup()
      server.use(answers(authContract.me, other))
      await renderApp('/nowhere')
    }
    await waitFor(() => expect(unsubscribe).toHaveBeenCalledOnce())
  },
)
