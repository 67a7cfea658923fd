// News by e-mail as people set it up, and the list of messages as staff see it.

import {
  adminOutboxContract,
  authContract,
  type NotificationsResponse,
  notificationsContract,
  type OutboxResponse,
} from '@redpack/contract'
import { screen, waitFor } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { answers, mockServer, refuses, replies } from '../../../test/mock-server.ts'
import { renderApp, renderPart } from '../../../test/render.tsx'
import { sampleUser } from '../../../test/samples.ts'
import { EmailCard } from './email-card.tsx'
import { sampleNotifications } from './sample-notifications.fixture.ts'

const server = mockServer(answers(authContract.me, sampleUser({ role: 'admin' })))
let sent: unknown[]
beforeEach(() => {
  sent = []
})

const kept = (endpoint: Parameters<typeof replies>[0], answer: NotificationsResponse) =>
  replies(endpoint, async (request) => {
    sent.push(await request.json())
    return HttpResponse.json(answer)
  })
const inUse = { address: 'ana@example.org', verified: true }

describe('the card', () => {
  it('sends a link to the suggested address, and says that it waits', async () => {
    server.use(
      answers(notificationsContract.read, sampleNotifications()),
      kept(notificationsContract.verifyEmail, sampleNotifications({ address: 'ana@example.org' })),
    )
    const { user } = await renderPart(<EmailCard suggested="ana@example.org" />)
    await user.click(await screen.findByRole('button', { name: 'Send the link' }))
    expect(await screen.findByText(/We sent a link to/)).toBeTruthy()
    expect(sent).toEqual([{ address: 'ana@example.org' }])
    expect(screen.getByRole('button', { name: 'Send the link again' })).toBeTruthy()
  })

  it('says what is wrong with an address', async () => {
    server.use(
      answers(notificationsContract.read, sampleNotifications()),
      refuses(notificationsContract.verifyEmail, 400, 'Invalid email'),
    )
    const { user } = await renderPart(<EmailCard suggested="x" />)
    await user.click(await screen.findByRole('button', { name: 'Send the link' }))
    expect(await screen.findByText('Invalid email')).toBeTruthy()
  })

  it('saves choices and quiet hours at once', async () => {
    server.use(
      answers(notificationsContract.read, sampleNotifications(inUse)),
      kept(notificationsContract.update, sampleNotifications(inUse)),
    )
    const { user } = await renderPart(<EmailCard suggested="" />)
    expect(await screen.findByText('ana@example.org')).toBeTruthy()
    await user.click(screen.getByText('What you hear of'))
    await user.click(screen.getByRole('switch', { name: 'Your wallet was changed' }))
    await user.click(screen.getByText('Quiet hours'))
    await user.click(screen.getByRole('switch', { name: 'Nothing at night' }))
    await user.click(screen.getByRole('button', { name: 'Remove' }))
    await waitFor(() =>
      expect(sent).toEqual([
        { preferences: { wallet_changed: { email: false } } },
        { quietHours: { from: '22:00', until: '08:00' } },
        { channels: { email: null } },
      ]),
    )
  })

  it('says that an address refused our mail', async () => {
    const refused = sampleNotifications({ refusedAt: '2026-11-20T10:00:00.000Z' })
    server.use(answers(notificationsContract.read, refused))
    await renderPart(<EmailCard suggested="" />)
    expect(await screen.findByText(/Your address refused our mail/)).toBeTruthy()
  })

  it('is not there where no mail can be sent, and says when it could not be loaded', async () => {
    server.use(answers(notificationsContract.read, sampleNotifications({}, false)))
    const { queryClient, unmount } = await renderPart(<EmailCard suggested="" />)
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    expect(screen.queryByText('News by e-mail')).toBeNull()
    unmount()
    server.use(refuses(notificationsContract.read, 500, 'Nothing works'))
    await renderPart(<EmailCard suggested="" />)
    expect(await screen.findByText('Error loading your e-mail settings')).toBeTruthy()
  })
})

describe('the page where links in mails end', () => {
  it.each([
    ['?result=verified', /Your address is confirmed/],
    ['', /This link works no more/],
  ])('says how it went: %s', async (search, sentence) => {
    await renderApp(`/notifications${search}`)
    expect(await screen.findByText(sentence)).toBeTruthy()
  })

  it('asks before it takes somebody off the list', async () => {
    const answer = { success: true, message: 'No more mails are sent to you' } as const
    server.use(answers(notificationsContract.unsubscribe, answer))
    const { user } = await renderApp('/notifications?unsubscribe=7.ab')
    await user.click(await screen.findByRole('button', { name: 'No more mails' }))
    expect(await screen.findByText('No more mails are sent to you.')).toBeTruthy()
  })
})

describe('the Messages tab', () => {
  const page: OutboxResponse = {
    messages: [
      {
        id: 5,
        kind: 'granted',
        channel: 'email',
        state: 'failed',
        attempts: 29,
        nextAttempt: null,
        lastError: 'SMTP 451 at RCPT TO',
        createdAt: '2026-11-20T10:00:00.000Z',
        sentAt: null,
      },
    ],
    counts: { waiting: 2, sent: 1_200, failed: 1 },
    ...{ total: 1_203, totalPages: 25, page: 1, limit: 50 },
  }

  it('counts by state, says why one failed, and sends it again', async () => {
    const answer = { success: true, message: 'The message is sent again' } as const
    server.use(
      answers(adminOutboxContract.list, page),
      replies(adminOutboxContract.again, (request) => {
        sent.push(new URL(request.url).pathname)
        return HttpResponse.json(answer)
      }),
    )
    const { user } = await renderApp('/admin?tab=messages')
    expect(await screen.findByText('SMTP 451 at RCPT TO')).toBeTruthy()
    expect(screen.getByText(/2 waiting, 1,200 sent, 1 failed/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Send again' }))
    await waitFor(() => expect(sent).toEqual(['/api/admin/outbox/5/again']))
  })

  it('is empty before anything was sent, and says when it could not be loaded', async () => {
    const counts = { waiting: 0, sent: 0, failed: 0 }
    const nothing = { messages: [], counts, total: 0, totalPages: 0, page: 1, limit: 50 }
    server.use(answers(adminOutboxContract.list, nothing))
    const { unmount } = await renderApp('/admin?tab=messages')
    expect(await screen.findByText('No messages yet')).toBeTruthy()
    unmount()
    server.use(refuses(adminOutboxContract.list, 500, 'Nothing works'))
    await renderApp('/admin?tab=messages')
    expect(await screen.findByText('Error loading the messages')).toBeTruthy()
  })
})
