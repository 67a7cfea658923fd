// The Users tab of the panel, as staff use it.

import {
  type AdminUser,
  adminClaimsContract,
  adminPackTypesContract,
  adminUsersContract,
  authContract,
  themeContract,
  themeDefault,
} from '@redpack/contract'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { holdWaits } from '../../../test/held-waits.ts'
import { answers, hangs, mockServer, refuses, replies } from '../../../test/mock-server.ts'
import { renderApp } from '../../../test/render.tsx'
import { sampleUser } from '../../../test/samples.ts'
import { currentReading, olderReading } from '../../compat/panel-reading.ts'
import { formatMoment } from '../../lib/format.ts'
import { toastStore } from '../../ui/feedback/toast.ts'
import { sampleAdminUser, samplePrize, sampleUsersPage } from './sample-users.fixture.ts'
import { usersPollMs, usersQuery } from './users-queries.ts'

const server = mockServer()
const ana = sampleAdminUser(1, {
  username: 'ana',
  displayName: 'Ana',
  redCoinBalance: 4200,
  userPacks: [{ packTypeId: 2, packTypeName: 'Gold Pack', quantity: 3 }],
})
const boss = sampleAdminUser(2, {
  username: 'boss',
  displayName: 'Boss',
  role: 'super_user',
  isProtected: true,
  isLocked: true,
})
const people = [ana, boss, sampleAdminUser(3), sampleAdminUser(4), sampleAdminUser(5)]
const goldPack = {
  id: 2,
  name: 'Gold Pack',
  description: '',
  color: '#0080FF',
  icon: 'package',
  imageUrl: null,
  hasImage: false,
  createdAt: '2026-01-02T10:00:00.000Z',
}
/** Queries of the calls for users, newest last. */
let asked: URLSearchParams[] = []

function serveUsers(users: AdminUser[], isOld = false, total?: number) {
  return replies((isOld ? olderReading : currentReading).calls.users, (request) => {
    const query = new URL(request.url).searchParams
    asked.push(query)
    const needle = query.get('search') ?? ''
    const limit = Number(query.get('limit'))
    const found = users.filter(({ username }) => username.includes(needle)).slice(0, limit)
    return HttpResponse.json(sampleUsersPage(found, total))
  })
}

beforeEach(() => {
  asked = []
  server.use(
    answers(themeContract.theme, themeDefault),
    answers(authContract.me, sampleUser({ id: 99, role: 'admin' })),
    answers(adminPackTypesContract.list, [goldPack] as never),
    serveUsers(people),
  )
})

const lastToast = () => toastStore.get().toasts[0]

async function open(address = '/admin?tab=users') {
  const rendered = await renderApp(address)
  await screen.findByRole('rowheader', { name: /Ana/ })
  return rendered
}

const rowOf = (name: string) => screen.getByRole('row', { name: new RegExp(name) })

describe('the table', () => {
  it.each(['users', 'fresh-users'])('opens by the word %s', async (word) => {
    await open(`/admin?tab=${word}`)
    const tab = within(screen.getByRole('navigation', { name: 'Admin tabs' })).getByRole('link', {
      name: 'Users',
    })
    expect(tab.getAttribute('aria-current')).toBe('page')
    expect(tab.dataset.tab).toBe('fresh-users')
    expect(tab.dataset.tabOther).toBe('users')
  })

  it('has roles, joined dates, prizes and a column for each kind of pack', async () => {
    await open()
    const row = within(rowOf('Ana'))
    await screen.findByRole('columnheader', { name: 'Gold Pack' })
    expect(row.getByText('4,200')).toBeTruthy()
    expect(row.getByText('3')).toBeTruthy()
    const role = row.getByRole('combobox', { name: 'Role of Ana' })
    expect(
      within(role)
        .getAllByRole('option')
        .map((option) => (option as HTMLOptionElement).value),
    ).toEqual(['user', 'admin', 'super_user'])
    expect(row.getByText(formatMoment(ana.createdAt))).toBeTruthy()
    expect(row.getByRole('button', { name: 'View Prizes of Ana' })).toBeTruthy()
  })

  it('has a column for every kind of pack, however many there are', async () => {
    const kinds = Array.from({ length: 9 }, (_, index) => ({
      ...goldPack,
      id: 10 + index,
      name: `Kind ${index + 1}`,
    }))
    const holder = sampleAdminUser(1, {
      displayName: 'Ana',
      userPacks: kinds.map(({ id, name }, index) => ({
        packTypeId: id,
        packTypeName: name,
        quantity: 101 + index,
      })),
    })
    server.use(answers(adminPackTypesContract.list, kinds as never), serveUsers([holder]))
    await open()
    await screen.findByRole('columnheader', { name: 'Kind 9' })
    const headers = screen.getAllByRole('columnheader').map((header) => header.textContent)
    const cells = [...rowOf('Ana').children].map((cell) => cell.textContent)
    // Nothing is hidden by default, and the name stays in sight however far one scrolls.
    expect(headers).toEqual([
      'Username',
      'RedCoins',
      'Role',
      'Joined',
      ...kinds.map(({ name }) => name),
      'Prizes',
    ])
    const name = screen.getByRole('rowheader', { name: /Ana/ })
    expect(name.className).toMatch(/\bsticky\b.*\bstart-0\b/)
    expect(screen.getByRole('columnheader', { name: 'Username' }).className).toContain('sticky')
    for (const [index, { name }] of kinds.entries()) {
      expect(cells[headers.indexOf(name)]).toBe(String(101 + index))
    }
  })

  it.each([
    ['Username', '-username'],
    ['RedCoins', '-redCoinBalance'],
    ['Role', 'role'],
    ['Joined', 'createdAt'],
  ])('is sorted by %s', async (header, sort) => {
    const { user, router } = await open()
    const cell = screen.getByRole('columnheader', { name: header })
    await user.click(within(cell).getByRole('button'))
    await waitFor(() => expect(asked.at(-1)?.get('sort')).toBe(sort))
    expect(cell.getAttribute('aria-sort')).toMatch(/ascending|descending/)
    expect(router.state.location.search).toMatchObject({ sort })
  })

  it('asks for one page at a time, once a second', async () => {
    server.use(serveUsers(people, false, 100_000))
    expect(usersPollMs).toBe(1000)
    expect(
      usersQuery({ search: '', sort: 'username', page: 1, limit: 50 }, currentReading.calls)
        .refetchInterval,
    ).toBe(1000)
    const { user } = await open()
    expect(screen.getByText('Showing 5 of 100,000 users')).toBeTruthy()
    expect(asked[0]?.get('limit')).toBe('50')
    const before = asked.length
    await waitFor(() => expect(asked.length).toBeGreaterThan(before), { timeout: 3000 })
    await user.click(screen.getByRole('button', { name: 'Page 2' }))
    await waitFor(() => expect(asked.at(-1)?.get('page')).toBe('2'))
  })

  it('locks the protected account', async () => {
    await open()
    const row = within(rowOf('Boss'))
    expect(row.getByText('Protected Account / Emergency Admin Only')).toBeTruthy()
    expect(row.getByText('SUPER USER')).toBeTruthy()
    expect(row.getByText('LOCKED')).toBeTruthy()
    expect(row.queryByRole('combobox')).toBeNull()
  })

  it('says when it could not be loaded, and tries again', async () => {
    server.use(refuses(adminUsersContract.list, 500, 'Internal server error'))
    const { user } = await renderApp('/admin?tab=users')
    expect(await screen.findByText('Failed to fetch users')).toBeTruthy()
    server.use(serveUsers(people))
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByRole('rowheader', { name: /Ana/ })).toBeTruthy()
  })

  it('asks nothing for a user without the role', async () => {
    const packTypes = vi.fn(() => HttpResponse.json([]))
    server.use(
      answers(authContract.me, sampleUser({ role: 'user' })),
      replies(adminPackTypesContract.list, packTypes),
    )
    await renderApp('/admin?tab=users')
    expect(await screen.findByRole('heading', { name: 'Access Denied' })).toBeTruthy()
    expect(asked).toEqual([])
    expect(packTypes).not.toHaveBeenCalled()
  })

  it('shows shapes while it loads', async () => {
    server.use(hangs(adminUsersContract.list))
    await renderApp('/admin?tab=users')
    expect(await screen.findByText('Loading users')).toBeTruthy()
  })
})

describe('the search', () => {
  it('suggests at most five, and shows who was picked with View Prizes', async () => {
    const many = Array.from({ length: 9 }, (_, index) => sampleAdminUser(index + 20))
    server.use(serveUsers([ana, ...many]), answers(adminUsersContract.prizes, []))
    const { user } = await open()
    await user.type(screen.getByRole('combobox', { name: 'Search users' }), 'viewer')
    const list = within(await screen.findByRole('listbox', { name: 'Suggestions' }))
    await waitFor(() => expect(list.getAllByRole('option', { name: /@viewer/ })).toHaveLength(5))
    await user.keyboard('{ArrowDown}{Enter}')
    const card = within(await screen.findByRole('region', { name: 'Selected user' }))
    expect(card.getByText('Viewer 20')).toBeTruthy()
    await waitFor(() => expect(asked.at(-1)?.get('search')).toBe('viewer20'))
    await user.click(card.getByRole('button', { name: 'View Prizes' }))
    expect(await screen.findByRole('dialog', { name: 'Prizes of Viewer 20' })).toBeTruthy()
  })

  it('closes its suggestions 150 ms after the field was left', async () => {
    const { user } = await open()
    const field = screen.getByRole('combobox', { name: 'Search users' })
    await user.type(field, 'ana')
    const list = await screen.findByRole('listbox', { name: 'Suggestions' })
    vi.useFakeTimers()
    fireEvent.blur(field)
    act(() => vi.advanceTimersByTime(149))
    expect(list.hidden).toBe(false)
    act(() => vi.advanceTimersByTime(1))
    expect(list.hidden).toBe(true)
  })

  it('says when nobody is found', async () => {
    const { user } = await open()
    await user.type(screen.getByRole('combobox', { name: 'Search users' }), 'zzz')
    expect(await screen.findByText('No users found matching "zzz"')).toBeTruthy()
  })
})

describe('a role', () => {
  async function choose(role: string) {
    const rendered = await open()
    await rendered.user.selectOptions(screen.getByRole('combobox', { name: 'Role of Ana' }), role)
    const dialog = within(await screen.findByRole('alertdialog'))
    return { ...rendered, dialog }
  }

  it.each(['admin', 'super_user'] as const)('becomes %s after a question', async (role) => {
    const sent = vi.fn()
    server.use(
      replies(adminUsersContract.changeRole, async (request) => {
        sent(await request.json())
        return HttpResponse.json({ ...ana, role })
      }),
    )
    const { user, dialog } = await choose(role)
    await user.click(dialog.getByRole('button', { name: 'Change role' }))
    await waitFor(() => expect(sent).toHaveBeenCalledWith({ role }))
    await waitFor(() => expect(lastToast()).toMatchObject({ title: 'Success', duration: 3000 }))
  })

  it('stays when the question is cancelled', async () => {
    const { user, dialog } = await choose('admin')
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    const field = screen.getByRole('combobox', { name: 'Role of Ana' }) as HTMLSelectElement
    expect(field.value).toBe('user')
  })

  it.each([
    ['the sentence of the server', 'Not now', 'Not now'],
    ['words of its own without one', '', 'Failed to update user role'],
  ])('fails with %s', async (_, message, description) => {
    const { user, dialog } = await choose('admin')
    server.use(
      replies(adminUsersContract.changeRole, () =>
        message ? HttpResponse.json({ message }, { status: 409 }) : HttpResponse.error(),
      ),
    )
    if (!message) vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error(''))
    await user.click(dialog.getByRole('button', { name: 'Change role' }))
    await waitFor(() =>
      expect(lastToast()).toMatchObject({
        title: 'Error updating role',
        description,
        variant: 'destructive',
        duration: 5000,
      }),
    )
    vi.restoreAllMocks()
  })
})

describe('the prizes of a user', () => {
  async function openPrizes(isOld = false) {
    const rendered = await open(isOld ? '/admin-old?tab=users' : undefined)
    await rendered.user.click(screen.getByRole('button', { name: 'View Prizes of Ana' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Prizes of Ana' }))
    return { ...rendered, dialog }
  }
  const two = [samplePrize(1), samplePrize(2, { status: 'completed' })]

  it('are listed with Claim ID, prize, status and date', async () => {
    server.use(answers(adminUsersContract.prizes, two))
    const { dialog } = await openPrizes()
    const row = within(await dialog.findByRole('row', { name: /PR-CLAIM1/ }))
    expect(row.getByText('Hoodie 1')).toBeTruthy()
    expect(row.getByText('pending')).toBeTruthy()
    expect(row.getByText(formatMoment(two[0]!.createdAt))).toBeTruthy()
  })

  it('are asked for again every 2 s, and a new one shows without a press', async () => {
    const pollPasses = holdWaits('Interval', 2000)
    server.use(answers(adminUsersContract.prizes, two))
    const { dialog } = await openPrizes()
    await dialog.findByText('PR-CLAIM1')
    server.use(answers(adminUsersContract.prizes, [samplePrize(7)]))
    expect(window.setInterval).toHaveBeenCalledWith(expect.any(Function), 2000)
    await pollPasses()
    expect(await dialog.findByText('PR-CLAIM7')).toBeTruthy()
  })

  it('are physical only, whatever the answer holds', async () => {
    const coins = samplePrize(3)
    server.use(
      answers(adminUsersContract.prizes, [
        ...two,
        { ...coins, prize: { ...coins.prize, redCoinAmount: 500 } },
      ]),
    )
    const { dialog } = await openPrizes()
    await dialog.findByText('PR-CLAIM1')
    expect(dialog.queryByText('PR-CLAIM3')).toBeNull()
  })

  it('can be none, or not loaded', async () => {
    server.use(answers(adminUsersContract.prizes, []))
    const { dialog, unmount } = await openPrizes()
    expect(await dialog.findByText('No physical prizes found')).toBeTruthy()
    unmount()
    server.use(refuses(adminUsersContract.prizes, 500, 'Internal server error'))
    const again = await openPrizes()
    expect(await again.dialog.findByText('Failed to fetch user prizes')).toBeTruthy()
  })

  async function choose(name: string, act: string) {
    server.use(answers(adminUsersContract.prizes, two))
    const rendered = await openPrizes()
    await rendered.user.click(
      await rendered.dialog.findByRole('button', { name: `Actions for ${name}` }),
    )
    await rendered.user.click(await screen.findByRole('menuitem', { name: act }))
    const question = within(await screen.findByRole('alertdialog'))
    return { ...rendered, question }
  }

  it('are marked complete after a question', async () => {
    const sent = vi.fn()
    server.use(
      replies(adminClaimsContract.update, async (request) => {
        sent(new URL(request.url).pathname, await request.json())
        return HttpResponse.json({})
      }),
    )
    const { user, question } = await choose('PR-CLAIM1', 'Mark Complete')
    expect(question.getByText('Mark this prize claim as complete?')).toBeTruthy()
    await user.click(question.getByRole('button', { name: 'Confirm' }))
    await waitFor(() =>
      expect(sent).toHaveBeenCalledWith('/api/admin/prize-claims/1', { status: 'completed' }),
    )
  })

  it('are not marked complete twice', async () => {
    server.use(answers(adminUsersContract.prizes, two))
    const { user, dialog } = await openPrizes()
    await user.click(await dialog.findByRole('button', { name: 'Actions for PR-CLAIM2' }))
    await screen.findByRole('menuitem', { name: 'Delete' })
    expect(screen.queryByRole('menuitem', { name: 'Mark Complete' })).toBeNull()
  })

  it('are deleted after a question, completed ones too', async () => {
    const sent = vi.fn()
    server.use(
      replies(adminClaimsContract.remove, (request) => {
        sent(new URL(request.url).pathname)
        return HttpResponse.json({ success: true, message: 'ok' })
      }),
    )
    const { user, question } = await choose('PR-CLAIM2', 'Delete')
    expect(
      question.getByText(
        'Are you sure you want to delete this claim? This action cannot be undone.',
      ),
    ).toBeTruthy()
    await user.click(question.getByRole('button', { name: 'Confirm' }))
    await waitFor(() => expect(sent).toHaveBeenCalledWith('/api/admin/prize-claims/2'))
  })

  it('are asked for directly when the first request to delete fails', async () => {
    let asked = 0
    server.use(
      replies(adminClaimsContract.remove, () => {
        asked += 1
        return asked === 1
          ? HttpResponse.error()
          : HttpResponse.json({ success: true, message: 'Prize claim deleted' })
      }),
    )
    const { user, question } = await choose('PR-CLAIM2', 'Delete')
    await user.click(question.getByRole('button', { name: 'Confirm' }))
    await waitFor(() =>
      expect(lastToast()?.description).toBe('Prize claim deleted successfully: PR-CLAIM2'),
    )
    expect(asked).toBe(2)
  })

  it.each([
    ['Mark Complete', 'Update Failed', 'Unable to update prize claim status'],
    ['Delete', 'Delete Failed', 'Unable to delete prize claim'],
  ])('report that %s failed', async (act, title, fallback) => {
    const { user, question } = await choose('PR-CLAIM1', act)
    vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error(''))
    await user.click(question.getByRole('button', { name: 'Confirm' }))
    await waitFor(() =>
      expect(lastToast()).toMatchObject({ title, description: fallback, variant: 'destructive' }),
    )
    vi.restoreAllMocks()
  })

  it('have a delete button each on the older page, with its own calls', async () => {
    const removed = olderReading.calls.deletePrize
    expect(removed.path).toBe('/api/test/admin-prize-claims/{id}')
    server.use(
      serveUsers(people, true),
      answers(olderReading.calls.userPrizes, two),
      refuses(removed, 409, 'It is gone'),
    )
    const { user, dialog } = await openPrizes(true)
    expect(screen.queryByRole('button', { name: /^Ana/ })).toBeNull()
    await user.click(await dialog.findByRole('button', { name: 'Delete PR-CLAIM2' }))
    const question = within(await screen.findByRole('alertdialog'))
    await user.click(question.getByRole('button', { name: 'Confirm' }))
    await waitFor(() =>
      expect(lastToast()).toMatchObject({
        title: 'Error removing prize',
        description: 'It is gone',
      }),
    )
  })

  it('fail on the older page in words of their own', async () => {
    server.use(serveUsers(people, true), answers(olderReading.calls.userPrizes, two))
    const { user, dialog } = await openPrizes(true)
    await user.click(await dialog.findByRole('button', { name: 'Delete PR-CLAIM1' }))
    const question = within(await screen.findByRole('alertdialog'))
    vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error(''))
    await user.click(question.getByRole('button', { name: 'Confirm' }))
    await waitFor(() =>
      expect(lastToast()).toMatchObject({
        title: 'Error removing prize',
        description: 'Failed to delete prize claim',
      }),
    )
    vi.restoreAllMocks()
  })
})
