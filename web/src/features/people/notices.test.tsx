// The bell and the list behind it, as their user sees them.

import { type Notice, noticesContract } from '@redpack/contract'
import { act, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { records, type Sent } from '../../../test/catalogue-samples.ts'
import { answers, mockServer, refuses, replies } from '../../../test/mock-server.ts'
import { renderPart } from '../../../test/render.tsx'
import { NoticesBell } from '../../app/nav-bar.tsx'
import { changedTopics } from '../../lib/changed-topics.ts'
import { lockScroll } from '../../ui/overlay/dialog-shell.ts'
import { noticesPollMs } from './notice-queries.ts'
import { noticeWords } from './notices-dialog.tsx'

const server = mockServer()

function notice(change: Partial<Notice> = {}): Notice {
  return {
    id: 'claim-step-1',
    kind: 'claim_status',
    at: '2026-11-20T10:00:00.000Z',
    subject: 'Hoodie',
    status: 'processing',
    carriage: null,
    redCoin: 0,
    packs: 0,
    isUnread: true,
    ...change,
  }
}

function serve(...notices: Notice[]) {
  const unreadCount = notices.filter(({ isUnread }) => isUnread).length
  server.use(answers(noticesContract.list, { notices, unreadCount }))
}

async function openBell(name: string | RegExp) {
  const view = await renderPart(<NoticesBell />)
  await view.user.click(await screen.findByRole('button', { name }))
  return { ...view, dialog: within(await screen.findByRole('dialog', { name: 'Notices' })) }
}

describe('what a notice says', () => {
  it.each<[Partial<Notice>, string, string]>([
    [{}, 'Your Hoodie is being processed', '/my-prizes'],
    [{ status: 'completed' }, 'Your Hoodie has been delivered', '/my-prizes'],
    [{ status: 'pending' }, 'Your Hoodie is back to pending', '/my-prizes'],
    [
      { kind: 'delivery_wanted', status: null },
      'Add a delivery address for your Hoodie',
      '/my-prizes',
    ],
    [
      { kind: 'watch_reward', subject: 'Luna', packs: 2, redCoin: 30 },
      'You earned 2 packs and 30 RedCoin by watching Luna',
      '/twitch-streams',
    ],
    [
      { kind: 'watch_reward', subject: 'Luna', packs: 1 },
      'You earned 1 pack by watching Luna',
      '/twitch-streams',
    ],
    [
      { kind: 'shipment_returned', subject: 'Hoodie', status: null },
      'Your Hoodie came back to us. Check the address',
      '/my-prizes',
    ],
    [
      { kind: 'shipment_sent', carriage: 'DHL, number JD01' },
      'Your Hoodie is on its way with DHL, number JD01',
      '/my-prizes',
    ],
    [{ kind: 'shipment_sent' }, 'Your Hoodie is on its way', '/my-prizes'],
    [{ kind: 'delivery_asked' }, 'Has your Hoodie arrived? Let us know in My Prizes', '/my-prizes'],
    [{ kind: 'code_ready', subject: 'Key' }, 'Your code for Key is in My Prizes', '/my-prizes'],
    [
      { kind: 'packs_removed', subject: 'Gold', packs: -3 },
      'Staff took back 3 × Gold',
      '/inventory',
    ],
    [{ kind: 'packs_granted', subject: 'Gold', packs: 3 }, 'You received 3 × Gold', '/inventory'],
    [{ kind: 'packs_granted', subject: null, packs: 9 }, 'You received 9 packs', '/inventory'],
    [{ kind: 'red_coin_granted', redCoin: 40 }, 'You received 40 RedCoin', '/history'],
    [{ kind: 'red_coin_removed', redCoin: -15 }, 'Staff took back 15 RedCoin', '/history'],
    [
      { kind: 'email_refused', subject: null, status: null },
      'Your email address refused our emails, so we stopped sending them',
      '/profile',
    ],
    [{ kind: 'discord_reward', redCoin: 25 }, 'You earned 25 RedCoin on Discord', '/history'],
  ])('%j', (change, text, to) => {
    expect(noticeWords(notice(change))).toMatchObject({ text, to })
  })
})

describe('the bell', () => {
  it('counts what is unread, by name too', async () => {
    serve(notice(), notice({ id: 'b' }), notice({ id: 'c', isUnread: false }))
    await renderPart(<NoticesBell />)
    const bell = await screen.findByRole('button', { name: 'Notices, 2 unread' })
    expect(bell.textContent).toBe('2')
  })

  it('opens the list, newest first, each leading to what it is about', async () => {
    serve(notice(), notice({ id: 'b', kind: 'discord_reward', redCoin: 5, isUnread: false }))
    const { dialog } = await openBell('Notices, 1 unread')
    const links = dialog.getAllByRole('link', { name: /^You/ })
    expect(links.map((link) => link.getAttribute('href'))).toEqual(['/my-prizes', '/history'])
    expect(links[0]?.textContent).toContain('Unread')
    expect(links[1]?.textContent).not.toContain('Unread')
  })

  it('marks all as read up to the newest', async () => {
    serve(notice(), notice({ id: 'b', at: '2026-11-19T10:00:00.000Z' }))
    const sent: Sent[] = []
    const newest = { readUntil: '2026-11-20T10:00:00.000Z' }
    server.use(records(noticesContract.read, newest, sent))
    const { dialog, user } = await openBell('Notices, 2 unread')
    await user.click(dialog.getByRole('button', { name: 'Mark all as read' }))
    await waitFor(() => expect(dialog.queryByText('Unread')).toBeNull())
    expect(sent.map(({ body }) => body)).toEqual([newest])
    expect(dialog.queryByRole('button', { name: 'Mark all as read' })).toBeNull()
    await user.keyboard('{Escape}')
    expect((await screen.findByRole('button', { name: 'Notices' })).textContent).toBe('')
  })

  it('says that there is nothing new', async () => {
    serve()
    const { dialog } = await openBell('Notices')
    expect(dialog.getByText('Nothing new')).toBeTruthy()
    expect(dialog.getByRole('link', { name: 'Notification settings' }).getAttribute('href')).toBe(
      '/profile',
    )
  })

  it('has news read out', async () => {
    serve(notice({ isUnread: false }))
    const { queryClient } = await renderPart(<NoticesBell />)
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    serve(notice({ isUnread: false }), notice({ id: 'b' }))
    await act(() => queryClient.refetchQueries())
    expect(await screen.findByText('1 new notice')).toBeTruthy()
  })

  it('keeps news to itself while a dialog is open', async () => {
    serve(notice({ isUnread: false }))
    const { queryClient } = await renderPart(<NoticesBell />)
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    const close = await act(async () => lockScroll())
    for (const unreadCount of [1, 3]) {
      act(() => {
        queryClient.setQueryData([noticesContract.list.path], { notices: [], unreadCount })
      })
      await screen.findByRole('button', { name: `Notices, ${unreadCount} unread` })
    }
    act(close)
    // All of it at once: nothing was noted before.
    expect(await screen.findByText('3 new notices')).toBeTruthy()
  })

  it('is asked for every minute, and not under a dialog, also where a call has changed it', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    let asked = 0
    server.use(
      replies(noticesContract.list, () => {
        asked += 1
        return HttpResponse.json({ notices: [], unreadCount: 0 })
      }),
    )
    const { queryClient } = await renderPart(<NoticesBell />)
    const idle = () => waitFor(() => expect(queryClient.isFetching()).toBe(0))
    const minute = async () => {
      await act(() => vi.advanceTimersByTimeAsync(noticesPollMs))
      await idle()
    }
    await idle()
    await minute()
    expect(asked).toBe(2)
    const close = await act(async () => lockScroll())
    changedTopics.announce(['user'], 'call')
    await minute()
    expect(asked).toBe(2)
    act(close)
    await waitFor(() => expect(asked).toBe(3))
    await minute()
    expect(asked).toBe(4)
  })

  it('says that the list could not be loaded', async () => {
    server.use(refuses(noticesContract.list, 500, 'Nothing works'))
    const { dialog } = await openBell('Notices')
    expect(await dialog.findByText('Your notices could not be loaded')).toBeTruthy()
  })
})
