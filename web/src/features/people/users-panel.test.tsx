// The Users tab of the panel, as staff use it.

import {
  type AdminUser,
  adminClaimsContract,
  adminPackTypesContract,
  adminUsersContract,
  authContract,
  type Role,
  themeContract,
  themeDefault,
} from '@redpack/contract'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { records, type Sent } from '../../../test/catalogue-samples.ts'
import { holdWaits } from '../../../test/held-waits.ts'
import { answers, mockServer, refuses, replies } from '../../../test/mock-server.ts'
import { pressButton } from '../../../test/press.ts'
import { renderApp } from '../../../test/render.tsx'
import { sampleUser } from '../../../test/samples.ts'
import { expectDone, expectFailed, lastToast, loseRequests } from '../../../test/toasts.ts'
import { currentReading, olderReading } from '../../compat/panel-reading.ts'
import { formatMoment } from '../../lib/format.ts'
import { sampleAdminUser, samplePrize, sampleUsersPage } from './sample-users.fixture.ts'
import { roleChangedText, roleQuestion } from './users-columns.tsx'
import { usersPollMs } from './users-queries.ts'

const server = mockServer()
const kinds = Array.from({ length: 9 }, (_, index) => ({
  id: 10 + index,
  name: `Kind ${index + 1}`,
  description: '',
  color: '#0080FF',
  icon: 'package',
  imageUrl: null,
  hasImage: false,
  createdAt: '2026-01-02T10:00:00.000Z',
}))
const ana = sampleAdminUser(1, {
  username: 'ana',
  displayName: 'Ana',
  redCoinBalance: 4200,
  userPacks: kinds.map(({ id, name }, index) => ({
    packTypeId: id,
    packTypeName: name,
    quantity: 101 + index,
  })),
})
const boss = sampleAdminUser(2, {
  username: 'boss',
  displayName: 'Boss',
  role: 'super_user',
  isProtected: true,
  isLocked: true,
})
const people = [ana, boss, sampleAdminUser(3), sampleAdminUser(4), sampleAdminUser(5)]
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
    answers(adminPackTypesContract.list, kinds as never),
    serveUsers(people),
  )
})

async function open(address = '/admin?tab=users') {
  const rendered = await renderApp(address)
  await screen.findByText('Ana', { selector: 'tbody *' })
  return rendered
}

const rowOf = (name: string) =>
  screen.getByText(name, { selector: 'tbody *' }).closest('tr') as HTMLElement

/** Answers the open question, which then goes. */
async function confirm(user: UserEvent, words: string, button = 'Confirm') {
  const question = within(await screen.findByRole('alertdialog'))
  expect(question.getByText(words)).toBeTruthy()
  await user.click(question.getByRole('button', { name: button }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
}

describe('the table', () => {
  it.each([
    ['&q=an', 10_000, /of 10,000 users\. A search finds at most 10,000/],
    ['&only=flagged', 10_000, /of 10,000 users\. A search finds at most 10,000/],
    ['', 100_001, /of 100,001 users\. An export has at most 100,000 rows$/],
    ['', 10_000, /of 10,000 users$/],
  ])('says where a search and a file end: %s %d', async (query, total, line) => {
    server.use(serveUsers(people, false, total))
    await open(`/admin?tab=users${query}`)
    expect(screen.getByText(line)).toBeTruthy()
  })

  it('has roles, joined dates, prizes and a column for every kind of pack', async () => {
    await open('/admin?tab=fresh-users')
    const tabs = within(screen.getByRole('navigation', { name: 'Admin tabs' }))
    const tab = tabs.getByRole('link', { name: 'Users' })
    expect(tab.getAttribute('aria-current')).toBe('page')
    expect([tab.dataset.tab, tab.dataset.tabOther]).toEqual(['fresh-users', 'users'])
    await screen.findByText('Kind 9')
    const table = within(screen.getByRole('table'))
    const headers = table.getAllByRole('columnheader')
    // Nothing is hidden by default, and the name stays in sight however far one scrolls.
    expect(headers.map(({ textContent }) => textContent)).toEqual([
      ...['Username', 'RedCoins', 'Role', 'Joined'],
      ...kinds.map(({ name }) => name),
      'Prizes',
    ])
    expect(headers[0]?.className).toContain('sticky')
    const cells = [...rowOf('Ana').children] as HTMLElement[]
    const [name, coins, role, joined, ...rest] = cells
    expect(name?.className).toMatch(/\bsticky\b.*\bstart-0\b/)
    expect([coins?.textContent, joined?.textContent]).toEqual([
      '4,200',
      formatMoment(ana.createdAt),
    ])
    const roles = within(role!).getByLabelText<HTMLSelectElement>('Role of Ana')
    expect([...roles.options].map(({ value }) => value)).toEqual([
      ...['user', 'admin', 'super_user'],
    ])
    expect(rest.slice(0, -1).map(({ textContent }) => textContent)).toEqual(
      kinds.map((_, index) => String(101 + index)),
    )
    const last = within(rest.at(-1) as HTMLElement)
    expect(last.getByRole('button', { name: 'View Prizes of Ana' })).toBeTruthy()
  })

  it('locks the protected account', async () => {
    await open()
    const row = within(rowOf('Boss'))
    expect(row.getByText('Protected Account / Emergency Admin Only')).toBeTruthy()
    expect(row.getByText('SUPER USER')).toBeTruthy()
    expect(row.getByText('LOCKED')).toBeTruthy()
    expect(row.queryByRole('combobox')).toBeNull()
  })

  it('asks for one page at a time, once a second, sorted by any of its columns', async () => {
    const pollPasses = holdWaits('Interval', usersPollMs)
    server.use(serveUsers(people, false, 100_000))
    expect(usersPollMs).toBe(1000)
    const { user, router } = await open()
    expect(screen.getByText('Showing 5 of 100,000 users')).toBeTruthy()
    expect(asked[0]?.get('limit')).toBe('50')
    const before = asked.length
    await pollPasses()
    await waitFor(() => expect(asked.length).toBeGreaterThan(before))
    await user.click(screen.getByRole('button', { name: 'Page 2' }))
    await waitFor(() => expect(asked.at(-1)?.get('page')).toBe('2'))
    for (const [header, sort] of [
      ['Username', '-username'],
      ['RedCoins', '-redCoinBalance'],
      ['Role', 'role'],
      ['Joined', 'createdAt'],
    ] as const) {
      const cell = screen.getByText(header, { selector: 'th *' }).closest('th') as HTMLElement
      await user.click(within(cell).getByRole('button'))
      await waitFor(() => expect(asked.at(-1)?.get('sort')).toBe(sort))
      expect(cell.getAttribute('aria-sort')).toMatch(/ascending|descending/)
      expect(router.state.location.search).toMatchObject({ sort })
    }
  })
})

describe('the search', () => {
  it('suggests at most five, and shows who was picked with View Prizes', async () => {
    const many = Array.from({ length: 9 }, (_, index) => sampleAdminUser(index + 20))
    server.use(serveUsers([ana, ...many]), answers(adminUsersContract.prizes, []))
    const { user } = await open()
    await user.click(screen.getByRole('combobox', { name: 'Search users' }))
    await user.paste('viewer')
    const list = within(await screen.findByRole('listbox', { name: 'Suggestions' }))
    await waitFor(() => expect(list.getAllByRole('option', { name: /@viewer/ })).toHaveLength(5))
    await user.keyboard('{ArrowDown}{Enter}')
    const card = within(await screen.findByRole('region', { name: 'Selected user' }))
    expect(card.getByText('Viewer 20')).toBeTruthy()
    await waitFor(() => expect(asked.at(-1)?.get('search')).toBe('viewer20'))
    await user.click(card.getByRole('button', { name: 'View Prizes' }))
    expect(await screen.findByRole('dialog', { name: 'Prizes of Viewer 20' })).toBeTruthy()
  })

  it('says when nobody is found, and closes 150 ms after the field was left', async () => {
    const { user } = await open()
    const field = screen.getByRole('combobox', { name: 'Search users' })
    await user.click(field)
    await user.paste('zzz')
    expect(await screen.findByText('No users found matching "zzz"')).toBeTruthy()
    await user.clear(field)
    await user.paste('ana')
    const list = await screen.findByRole('listbox', { name: 'Suggestions' })
    vi.useFakeTimers()
    fireEvent.blur(field)
    act(() => vi.advanceTimersByTime(149))
    expect(list.hidden).toBe(false)
    act(() => vi.advanceTimersByTime(1))
    expect(list.hidden).toBe(true)
  })
})

describe('a role', () => {
  async function openRole() {
    const { user } = await open()
    const field = within(rowOf('Ana')).getByLabelText<HTMLSelectElement>('Role of Ana')
    const choose = async (role: Role, button = 'Change role') => {
      fireEvent.change(field, { target: { value: role } })
      await confirm(user, roleQuestion(ana, role, false), button)
    }
    return { field, choose }
  }

  it('becomes admin or super user after a question, unless that is cancelled', async () => {
    const sent: Sent[] = []
    server.use(records(adminUsersContract.changeRole, ana, sent))
    const { field, choose } = await openRole()
    await choose('admin', 'Cancel')
    expect([field.value, sent]).toEqual(['user', []])
    for (const role of ['admin', 'super_user'] as const) {
      await choose(role)
      expect(sent.at(-1)?.body).toEqual({ role, expected: { role: ana.role } })
      await expectDone(roleChangedText(ana, role, false))
    }
  })

  it('fails with the sentence of the server, else with words of its own', async () => {
    server.use(refuses(adminUsersContract.changeRole, 409, 'Not now'))
    const { choose } = await openRole()
    await choose('admin')
    await expectFailed('Error updating role', 'Not now')
    loseRequests()
    await choose('admin')
    await expectFailed('Error updating role', 'Failed to update user role')
  })
})

it('searches, sorts and changes roles by names of its own on the older page', async () => {
  const { users, changeRole } = olderReading.calls
  expect(users.path).toBe('/api/test/admin-users')
  expect(changeRole.path).toBe('/api/test/admin-users/{id}/role')
  const sent: Sent[] = []
  server.use(
    // Asked by the usual names, nothing would be found and no role changed.
    refuses(currentReading.calls.users, 404, 'Not found'),
    refuses(currentReading.calls.changeRole, 404, 'Not found'),
    serveUsers(people, true),
    records(changeRole, ana, sent),
  )
  const { user } = await open('/admin-old?tab=users&q=a')
  expect(asked.at(-1)?.get('search')).toBe('a')
  await user.click(within(screen.getByRole('table')).getByRole('button', { name: /^RedCoins/ }))
  await waitFor(() => expect(asked.at(-1)?.get('sort')).toBe('-redCoinBalance'))
  fireEvent.change(screen.getByLabelText('Role of Ana'), { target: { value: 'admin' } })
  await confirm(user, roleQuestion(ana, 'admin', false), 'Change role')
  expect(sent[0]?.body).toEqual({ role: 'admin', expected: { role: ana.role } })
  expect(lastToast()?.title).toBe('Success')
})

describe('the prizes of a user', () => {
  const two = [samplePrize(1), samplePrize(2, { status: 'completed' })]
  beforeEach(() => {
    server.use(answers(adminUsersContract.prizes, two))
  })
  async function openPrizes(isOld = false) {
    const rendered = await open(isOld ? '/admin-old?tab=users' : undefined)
    const button = within(rowOf('Ana')).getByRole('button', { name: 'View Prizes of Ana' })
    await rendered.user.click(button)
    const dialog = within(await screen.findByRole('dialog', { name: 'Prizes of Ana' }))
    return { ...rendered, dialog }
  }

  it('are listed with Claim ID, prize, status and date, and none that is RedCoin', async () => {
    const coins = samplePrize(3)
    const won = { ...coins, prize: { ...coins.prize, redCoinAmount: 500 } }
    server.use(answers(adminUsersContract.prizes, [...two, won]))
    const { dialog } = await openPrizes()
    const row = within(await dialog.findByRole('row', { name: /PR-CLAIM1/ }))
    expect(row.getByText('Hoodie 1')).toBeTruthy()
    expect(row.getByText('pending')).toBeTruthy()
    expect(row.getByText(formatMoment(two[0]!.createdAt))).toBeTruthy()
    expect(dialog.queryByText('PR-CLAIM3')).toBeNull()
  })

  it('are asked for again every 2 s, and a new one, or none, shows without a press', async () => {
    const pollPasses = holdWaits('Interval', 2000)
    const { dialog } = await openPrizes()
    await dialog.findByText('PR-CLAIM1')
    server.use(answers(adminUsersContract.prizes, [samplePrize(7)]))
    await pollPasses()
    expect(await dialog.findByText('PR-CLAIM7')).toBeTruthy()
    server.use(answers(adminUsersContract.prizes, []))
    await pollPasses()
    expect(await dialog.findByText('No physical prizes found')).toBeTruthy()
  })

  it('can be not loaded', async () => {
    server.use(refuses(adminUsersContract.prizes, 500, 'Internal server error'))
    const { dialog } = await openPrizes()
    expect(await dialog.findByText('Failed to fetch user prizes')).toBeTruthy()
  })

  async function choose(user: UserEvent, claimId: string, act: string) {
    await pressButton(user, `Actions for ${claimId}`)
    await user.click(await screen.findByRole('menuitem', { name: act }))
  }
  const askToComplete = 'Mark this prize claim as complete?'
  const askToDelete = 'Are you sure you want to delete this claim? This action cannot be undone.'

  it('are marked complete after a question, also once that has failed', async () => {
    const sent: Sent[] = []
    server.use(records(adminClaimsContract.update, {}, sent))
    const { user } = await openPrizes()
    await choose(user, 'PR-CLAIM1', 'Mark Complete')
    const lost = loseRequests()
    await confirm(user, askToComplete)
    await expectFailed('Update Failed', 'Unable to update prize claim status')
    lost.mockRestore()
    await choose(user, 'PR-CLAIM1', 'Mark Complete')
    await confirm(user, askToComplete)
    expect(sent).toEqual([
      { path: '/api/admin/prize-claims/1', body: { status: 'completed' }, key: null },
    ])
  })

  it('that are complete are deleted after a question, by a second request if need be', async () => {
    const asked: string[] = []
    server.use(
      replies(adminClaimsContract.remove, ({ url }) => {
        asked.push(new URL(url).pathname)
        return asked.length === 1
          ? HttpResponse.error()
          : HttpResponse.json({ success: true, message: 'Prize claim deleted' })
      }),
    )
    const { user } = await openPrizes()
    await user.hover(await screen.findByRole('button', { name: 'Actions for PR-CLAIM2' }))
    expect((await screen.findByRole('tooltip')).textContent).toBe('Actions for PR-CLAIM2')
    await pressButton(user, 'Actions for PR-CLAIM2')
    const acts = await screen.findAllByRole('menuitem')
    expect(acts.map(({ textContent }) => textContent)).toEqual(['Delete'])
    await user.click(acts[0]!)
    const lost = loseRequests()
    await confirm(user, askToDelete)
    await expectFailed('Delete Failed', 'Unable to delete prize claim')
    lost.mockRestore()
    await choose(user, 'PR-CLAIM2', 'Delete')
    await confirm(user, askToDelete)
    await expectDone('Prize claim deleted successfully: PR-CLAIM2')
    expect(asked).toEqual(['/api/admin/prize-claims/2', '/api/admin/prize-claims/2'])
  })

  it('have a delete button each on the older page, with calls and words of its own', async () => {
    const removed = olderReading.calls.deletePrize
    expect(removed.path).toBe('/api/test/admin-prize-claims/{id}')
    server.use(
      serveUsers(people, true),
      answers(olderReading.calls.userPrizes, two),
      refuses(removed, 409, 'It is gone'),
    )
    const { user } = await openPrizes(true)
    expect(screen.queryByRole('button', { name: /^Ana/ })).toBeNull()
    const title = 'Error removing prize'
    await pressButton(user, 'Delete PR-CLAIM2')
    await confirm(user, askToDelete)
    await expectFailed(title, 'It is gone')
    await pressButton(user, 'Delete PR-CLAIM1')
    loseRequests()
    await confirm(user, askToDelete)
    await expectFailed(title, 'Failed to delete prize claim')
  })
})
