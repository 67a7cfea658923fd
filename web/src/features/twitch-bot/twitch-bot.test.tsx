// The Twitch bot's pane: the form, masked tokens, what the bot can do, and the deletion.

import { type BotCredentials, adminBotsContract as contract } from '@redpack/contract'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { testNow } from '../../../../tools/test-clock.ts'
import { records, type Sent } from '../../../test/catalogue-samples.ts'
import { answers, mockServer, refuses } from '../../../test/mock-server.ts'
import { renderPart } from '../../../test/render.tsx'
import { findFailure, findToast, loseRequests } from '../../../test/toasts.ts'
import { formatDateTime } from '../../lib/format.ts'
import { TwitchBot } from './bot-credentials-panel.tsx'

const server = mockServer()
let sent: Sent[] = []

const stored = (change: Partial<BotCredentials> = {}): BotCredentials => ({
  botUsername: 'redpackbot',
  botUserId: '77',
  clientId: 'client',
  accessToken: '••••••••abcd',
  refreshToken: '••••••••efgh',
  expiresAt: '2026-11-21T13:00:00.000Z',
  scopes: 'moderator:read:chatters',
  isActive: true,
  canSendChat: false,
  canReadChatters: true,
  canRefresh: true,
  checkedAt: '2026-11-21T09:00:00.000Z',
  state: 'limited',
  advice: 'Give the token the scope user:write:chat.',
  ...change,
})

beforeEach(() => {
  sent = []
  server.use(
    answers(contract.credentials, stored()),
    records(contract.saveCredentials, stored(), sent),
    records(contract.deleteCredentials, { success: true, message: 'Deleted' }, sent),
  )
})

async function renderTab(credentials?: BotCredentials | null) {
  if (credentials !== undefined) server.use(answers(contract.credentials, credentials))
  const rendered = await renderPart(<TwitchBot />)
  await screen.findByRole('form', { name: 'Twitch bot credentials' })
  return rendered
}
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const fill = (label: string, value: string) => fireEvent.change(field(label), { target: { value } })
const press = (name: string) => screen.getByRole('button', { name })

describe('the form', () => {
  it('asks for username, user ID, client ID and both tokens, and needs all but the second', async () => {
    const { user } = await renderTab(null)
    const labels = ['Bot username', 'Bot user ID', 'Client ID', 'Access token', 'Refresh token']
    expect(labels.map((label) => field(label).value)).toEqual(['', '', '', '', ''])
    expect([field('Access token').type, field('Refresh token').type]).toEqual([
      'password',
      'password',
    ])
    await user.click(press('Save credentials'))
    for (const label of labels.slice(0, 4)) {
      expect(await screen.findByText(`${label} is required`)).toBeTruthy()
      fill(label, 'x')
    }
    expect(sent).toEqual([])
    await user.click(press('Save credentials'))
    await findToast({ description: 'Twitch credentials updated successfully' })
    expect(sent).toMatchObject([
      {
        path: '/api/admin/twitch/bot-credentials',
        body: { botUsername: 'x', botUserId: 'x', clientId: 'x', accessToken: 'x' },
      },
    ])
  })

  it('shows stored tokens as their masks, and a typed one leaves the page when it is saved', async () => {
    const { user } = await renderTab()
    expect(field('Access token').value).toBe('••••••••abcd')
    expect(screen.getByText('••••••••efgh')).toBeTruthy()
    fill('Access token', 'brand-new-token')
    await user.click(press('Save credentials'))
    await waitFor(() => expect(field('Access token').value).toBe('••••••••abcd'))
    expect(sent[0]?.body).toMatchObject({
      accessToken: 'brand-new-token',
      refreshToken: '••••••••efgh',
    })
    expect(screen.queryByDisplayValue('brand-new-token')).toBeNull()
    expect(document.body.textContent).not.toContain('brand-new-token')
  })

  it('shows a token for ten seconds when asked', async () => {
    await renderTab()
    vi.useFakeTimers({ shouldAdvanceTime: true })
    fireEvent.click(press('Show access token'))
    expect(field('Access token').type).toBe('text')
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    expect(field('Access token').type).toBe('password')
  })

  it.each([
    ['in the words of the server', 'Twitch does not accept this token'],
    ['in words of its own without a reason', 'Failed to save Twitch credentials'],
  ])('reports a failure %s', async (_, shown) => {
    server.use(refuses(contract.saveCredentials, 400, 'Twitch does not accept this token'))
    const { user } = await renderTab()
    if (shown.startsWith('Failed')) loseRequests()
    fill('Client ID', 'another')
    await user.click(press('Save credentials'))
    expect(await findFailure('Error')).toBeTruthy()
    expect(await findFailure(shown)).toBeTruthy()
  })
})

describe('the state', () => {
  it('says what the bot can do and what staff should do', async () => {
    const nowText = new Date(testNow()).toISOString()
    await renderTab(stored({ checkedAt: nowText, expiresAt: nowText, canRefresh: false }))
    expect(screen.getByText('Limited')).toBeTruthy()
    expect(screen.getByText('Give the token the scope user:write:chat.')).toBeTruthy()
    const beside = (term: string) => screen.getByText(term).nextElementSibling?.textContent
    expect([beside('Can write in chat'), beside('Can see chatters')]).toEqual(['No', 'Yes'])
    const times = [beside('Token expires'), beside('Last checked')]
    expect(times).toEqual([formatDateTime(nowText), 'just now'])
  })
})

describe('the deletion', () => {
  it('asks, deletes and empties the form', async () => {
    const { user } = await renderTab()
    await user.click(press('Delete credentials'))
    await screen.findByText('Are you sure you want to delete the Twitch credentials?')
    server.use(answers(contract.credentials, null))
    await user.click(press('Confirm'))
    await findToast({ description: 'Twitch credentials deleted successfully' })
    await waitFor(() => expect(field('Access token').value).toBe(''))
  })

  it.each([
    ['in the words of the server', 'No credentials are stored'],
    ['in words of its own without a reason', 'Failed to delete Twitch credentials'],
  ])('reports a failure %s', async (_, shown) => {
    server.use(refuses(contract.deleteCredentials, 404, 'No credentials are stored'))
    const { user } = await renderTab()
    await user.click(press('Delete credentials'))
    const confirm = await screen.findByRole('button', { name: 'Confirm' })
    if (shown.startsWith('Failed')) loseRequests()
    await user.click(confirm)
    expect(await findFailure('Error')).toBeTruthy()
    expect(await findFailure(shown)).toBeTruthy()
  })
})
