// The keys of the app: palette, list of shortcuts, places; never while somebody types.

import {
  adminAuditContract,
  adminClaimsContract,
  adminOverviewContract,
  adminPackTypesContract,
  adminPeopleContract,
  adminUsersContract,
  authContract,
  coinsContract,
} from '@redpack/contract'
import { createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { answers, hangs, mockServer, replies } from '../../test/mock-server.ts'
import { renderApp } from '../../test/render.tsx'
import { sampleUser } from '../../test/samples.ts'
import {
  sampleAdminUser,
  samplePerson,
  sampleUsersPage,
} from '../features/people/sample-users.fixture.ts'
import { isTyping, sequenceMs, singleKeys } from '../ui/overlay/shortcuts.ts'
import { matchingGroups } from './command-menu.tsx'

const server = mockServer()

// Parts that are fetched when they are opened; a busy machine takes its time over that.
beforeAll(async () => {
  await Promise.all([import('./command-menu.tsx'), import('./shortcut-help.tsx')])
}, 60_000)

beforeEach(() => {
  server.use(
    hangs(adminOverviewContract.stats),
    hangs(adminClaimsContract.list),
    answers(adminPackTypesContract.list, []),
    hangs(coinsContract.leaderboard),
    answers(adminUsersContract.list, sampleUsersPage([])),
    answers(adminAuditContract.list, { entries: [], total: 0, totalPages: 0, page: 1, limit: 50 }),
  )
})

async function open(address = '/admin') {
  const rendered = await renderApp(address)
  await screen.findByRole('heading', { level: 1 })
  return rendered
}

async function openCommandMenu(address?: string) {
  const rendered = await open(address)
  await rendered.user.keyboard('{Control>}k{/Control}')
  const palette = within(await screen.findByRole('dialog', { name: 'Command menu' }))
  return { ...rendered, palette, field: palette.getByRole('combobox') }
}

describe('the command menu', () => {
  it('goes to a tab by a few letters and closes', async () => {
    const { user, field, router } = await openCommandMenu()
    expect(document.activeElement).toBe(field)
    await user.type(field, 'audit{Enter}')
    await waitFor(() => expect(router.state.location.search).toEqual({ tab: 'audit' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it.each([
    ['/admin', 'Overview'],
    ['/leaderboard', 'Dashboard'],
  ])('offers on %s its own kind of screens first', async (address, first) => {
    const { palette } = await openCommandMenu(address)
    expect(palette.getAllByRole('option')[0]?.textContent).toContain(first)
  })

  it('finds users and opens their page', async () => {
    const ana = sampleAdminUser(12, { username: 'ana', displayName: 'Ana' })
    server.use(
      replies(adminUsersContract.list, (request) => {
        const isAna = new URL(request.url).searchParams.get('search') === 'an'
        return HttpResponse.json(sampleUsersPage(isAna ? [ana] : []))
      }),
      answers(adminPeopleContract.person, samplePerson(ana)),
    )
    const { user, palette, field, router } = await openCommandMenu()
    await user.type(field, 'an')
    await user.click(await palette.findByRole('option', { name: /@ana/ }))
    await waitFor(() => expect(router.state.location.search).toEqual({ tab: 'users', user: '12' }))
  })

  it('searches claims for what is typed', async () => {
    server.use(answers(adminUsersContract.list, sampleUsersPage([])))
    const { user, palette, field, router } = await openCommandMenu()
    await user.type(field, 'PR-1')
    await user.click(await palette.findByRole('option', { name: 'Search prize claims for "PR-1"' }))
    await waitFor(() =>
      expect(router.state.location.search).toEqual({ tab: 'claims', q: 'PR-1', status: 'all' }),
    )
  })

  it('puts what starts a word first, then what was found, then the rest', () => {
    const item = (id: string, label: string, isFound = false) => ({
      ...{ id, label, isFound },
      onSelect: () => undefined,
    })
    const groups = [
      { heading: 'Users', items: [item('ana', 'Ana', true)] },
      { heading: 'Tabs', items: [item('economy', 'Economy'), item('audit', 'Audit Log')] },
    ]
    const names = (typed: string) =>
      matchingGroups(groups, typed).flatMap(({ items }) => items.map(({ id }) => id))
    expect(names('aud')).toEqual(['audit', 'ana'])
    expect(names('audit l')).toEqual(['audit', 'ana'])
    expect(names('dit')).toEqual(['ana', 'audit'])
    expect(names('')).toEqual(['economy', 'audit', 'ana'])
  })

  it('finds what begins with an I in a browser that speaks Turkish', () => {
    vi.spyOn(String.prototype, 'toLocaleLowerCase').mockImplementation(function turkish(
      this: string,
    ) {
      return this.replaceAll('I', '\u0131').toLowerCase()
    })
    const inventory = { id: 'inventory', label: 'My Inventory', onSelect: () => undefined }
    expect(matchingGroups([{ heading: 'Go to', items: [inventory] }], 'inv')).toHaveLength(1)
  })

  it('has nothing of the panel for a user', async () => {
    server.use(answers(authContract.me, sampleUser({ role: 'user' })))
    const { user } = await open('/leaderboard')
    await user.keyboard('{Control>}k{/Control}')
    const palette = within(await screen.findByRole('dialog', { name: 'Command menu' }))
    expect(palette.getByRole('option', { name: 'Store' })).toBeTruthy()
    await user.type(palette.getByRole('combobox'), 'claims')
    expect(await palette.findByText('Nothing found')).toBeTruthy()
  })
})

describe('shortcuts', () => {
  it('lead to places by two keys', async () => {
    const { user, router } = await open()
    await user.keyboard('gt')
    await waitFor(() => expect(router.state.location.search).toEqual({ tab: 'audit' }))
  })

  it('forget the first key after a while', async () => {
    const { router } = await open()
    const went = vi.spyOn(router, 'navigate')
    const press = (key: string, value: number) => {
      const event = createEvent.keyDown(document.body, { key })
      fireEvent(document.body, Object.defineProperty(event, 'timeStamp', { value }))
    }
    press('g', 1)
    press('t', sequenceMs + 2)
    expect(went).not.toHaveBeenCalled()
    press('g', 5_000)
    press('t', 5_000 + sequenceMs)
    expect(went).toHaveBeenCalledOnce()
    await waitFor(() => expect(router.state.location.search).toEqual({ tab: 'audit' }))
  })

  it('are listed by the question mark, with a switch that turns them off', async () => {
    const { user, router } = await open()
    await user.keyboard('?')
    const help = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }))
    expect(help.getByText('Go to Users')).toBeTruthy()
    expect(help.getByText('Open the command menu')).toBeTruthy()
    await user.click(help.getByRole('switch'))
    expect(singleKeys.isOn()).toBe(false)
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.keyboard('gt')
    expect(router.state.location.search).toEqual({})
    await user.keyboard('{Control>}k{/Control}')
    expect(await screen.findByRole('dialog', { name: 'Command menu' })).toBeTruthy()
  })

  it('count from the first paint on: what was pressed early acts once the app is there', async () => {
    const press = new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, cancelable: true })
    // As the browser's own use of these keys was prevented when they were pressed.
    press.preventDefault()
    window.redpackEarlyKeys = () => [press]
    await renderApp('/admin')
    window.redpackEarlyKeys = undefined
    expect(await screen.findByRole('dialog', { name: 'Command menu' })).toBeTruthy()
  })

  it('never count while somebody types or a dialog is open', async () => {
    const { user, router } = await open()
    await user.keyboard('{Control>}k{/Control}')
    await screen.findByRole('dialog', { name: 'Command menu' })
    await user.keyboard('gt?')
    expect(router.state.location.search).toEqual({})
    expect(screen.queryByRole('dialog', { name: 'Keyboard shortcuts' })).toBeNull()
  })

  it('know where keys belong to what has the focus', () => {
    const field = document.createElement('input')
    const choice = document.createElement('select')
    const text = document.createElement('div')
    expect(isTyping(field)).toBe(true)
    expect(isTyping(choice)).toBe(true)
    expect(isTyping(text)).toBe(false)
    expect(isTyping(null)).toBe(false)
  })
})
