// The Audit Log tab of the panel.

import { type AuditEntry, adminAuditContract, adminPrizesContract } from '@redpack/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { holdWaits } from '../../../test/held-waits.ts'
import { answers, mockServer, replies } from '../../../test/mock-server.ts'
import { renderApp } from '../../../test/render.tsx'
import { actionText, changeLine, changesOf, targetText } from './audit-columns.tsx'
import { auditPollMs, deletedBy, startOfDay } from './audit-panel.tsx'

const server = mockServer()
const batchId = '0b8e7b0e-5a54-4f0f-9a53-1f2f6a1c2d3e'
const entry: AuditEntry = {
  id: 12,
  createdAt: '2026-11-20T18:00:00.000Z',
  actor: { id: 3, username: 'mod', displayName: 'Mod' },
  action: 'role.change',
  target: { type: 'user', id: '7', name: '@ana' },
  before: { role: 'user' },
  after: { role: 'admin' },
  reason: null,
  batchId,
  requestId: 'req-1',
}
let asked: URLSearchParams[] = []

beforeEach(() => {
  asked = []
  server.use(
    replies(adminAuditContract.list, (request) => {
      asked.push(new URL(request.url).searchParams)
      return HttpResponse.json({ entries: [entry], total: 1, totalPages: 1, page: 1, limit: 50 })
    }),
  )
})

async function open() {
  const rendered = await renderApp('/admin?tab=audit')
  await screen.findByText('Role: change')
  return rendered
}

describe('the log', () => {
  it('says where a filter ends', async () => {
    const place = { total: 10_000, totalPages: 200, page: 1, limit: 50 }
    server.use(answers(adminAuditContract.list, { entries: [entry], ...place }))
    await renderApp('/admin?tab=audit&action=role')
    expect(
      await screen.findByText(/of 10,000 entries\. A search finds at most 10,000/),
    ).toBeTruthy()
  })

  it('says who did what to what, and goes on asking', async () => {
    const pollPasses = holdWaits('Interval', auditPollMs)
    await open()
    const row = within(screen.getByRole('row', { name: /Role: change/ }))
    expect(row.getByText('@mod')).toBeTruthy()
    expect(row.getByText('@ana')).toBeTruthy()
    expect(row.getByText('role user → admin')).toBeTruthy()
    await pollPasses()
    await waitFor(() => expect(asked).toHaveLength(2))
  })

  it('is sorted by time in the address, the newest first until somebody asks', async () => {
    const { user, router } = await open()
    expect(asked.at(-1)?.get('sort')).toBe('-createdAt')
    await user.click(screen.getByRole('button', { name: /^Time/ }))
    await waitFor(() => expect(asked.at(-1)?.get('sort')).toBe('createdAt'))
    expect(router.state.location.search).toMatchObject({ sort: 'createdAt' })
    const header = screen.getByRole('columnheader', { name: /^Time/ })
    expect(header.getAttribute('aria-sort')).toBe('ascending')
  })

  it('takes an order that it does not know for the usual one', async () => {
    await renderApp('/admin?tab=audit&sort=mood')
    await screen.findByText('Role: change')
    expect(asked.at(-1)?.get('sort')).toBe('-createdAt')
  })

  it('is searched and filtered in the address, and exported the same way', async () => {
    const { user, router } = await open()
    await user.type(screen.getByLabelText('Search the log'), 'mod')
    await waitFor(() => expect(asked.at(-1)?.get('search')).toBe('mod'))
    await user.selectOptions(screen.getByLabelText('Action'), 'Role')
    await waitFor(() => expect(asked.at(-1)?.get('action')).toBe('role'))
    expect(router.state.location.search).toMatchObject({ q: 'mod', action: 'role' })
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-11-20' } })
    const until = screen.getByLabelText<HTMLInputElement>('Until')
    await waitFor(() => expect(until.min).toBe('2026-11-20'))
    fireEvent.change(until, { target: { value: '2026-11-21' } })
    await waitFor(() => expect(screen.getByLabelText('From')).toHaveProperty('max', '2026-11-21'))
    const href = screen.getByRole('link', { name: 'Export CSV' }).getAttribute('href')
    expect(href).toContain('/api/admin/audit.csv?search=mod&action=role&from=')
    await user.click(screen.getByRole('button', { name: 'Clear filters' }))
    await waitFor(() => expect(asked.at(-1)?.get('action')).toBeNull())
  })

  it('shows every field before and after, and the rest of the batch', async () => {
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: /^View Role: change/ }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Role: change' }))
    const row = within(dialog.getByRole('row', { name: /role/ }))
    expect(row.getAllByRole('cell').map((cell) => cell.textContent)).toEqual(['user', 'admin'])
    // A list of terms holds nothing beside them; the buttons stand with what they copy.
    const [facts] = dialog.getAllByRole('term').map((term) => term.closest('dl'))
    expect(facts?.querySelectorAll('div > :not(dt, dd, dd *)')).toHaveLength(0)
    await user.click(dialog.getByRole('button', { name: 'Show the whole batch' }))
    await waitFor(() => expect(asked.at(-1)?.get('batchId')).toBe(batchId))
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('a deletion', () => {
  const deleted: AuditEntry = {
    ...entry,
    action: 'prize.delete',
    target: { type: 'prize', id: '7', name: null },
    before: { name: 'Mug', isActive: true },
    after: { name: 'Mug', isActive: false },
  }

  it('is taken back from its entry', async () => {
    let restored = 0
    server.use(
      replies(adminAuditContract.list, (request) => {
        asked.push(new URL(request.url).searchParams)
        const page = { total: 1, totalPages: 1, page: 1, limit: 50 }
        return HttpResponse.json({ entries: [deleted], ...page })
      }),
      replies(adminPrizesContract.restore, (request) => {
        restored += new URL(request.url).pathname === '/api/admin/prizes/7/restore' ? 1 : 0
        return HttpResponse.json({})
      }),
    )
    const { user } = await renderApp('/admin?tab=audit&action=prize.delete')
    const row = within(await screen.findByRole('row', { name: /Mug/ }))
    expect(asked.at(-1)?.get('action')).toBe('prize.delete')
    await user.click(row.getByRole('button', { name: /^View Prize: delete/ }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Prize: delete' }))
    await user.click(dialog.getByRole('button', { name: 'Restore' }))
    await waitFor(() => expect(restored).toBe(1))
    expect(await screen.findByText('Prize restored successfully')).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('is offered only for what can come back one by one', () => {
    expect(deletedBy(deleted)).toEqual({ action: 'prize.delete', id: 7 })
    expect(deletedBy(entry)).toBeUndefined()
    expect(deletedBy({ ...deleted, target: null })).toBeUndefined()
  })
})

describe('words and days', () => {
  it('names actions', () => {
    expect(actionText('redcoin.bulk_distribute')).toBe('RedCoin: bulk distribute')
    expect(actionText('theme_saved')).toBe('Theme saved')
  })

  it('names targets and fields in words', () => {
    const named = (type: string, id: string | null) =>
      targetText({ ...entry, target: { type, id, name: null }, before: null, after: null })
    expect(named('setting', 'discord_bot')).toBe('Discord bot')
    expect(named('claim', '141')).toBe('Claim #141')
    expect(named('claims', null)).toBe('Claims')
    expect(changeLine({ watchSeconds: 1 }, { watchSeconds: 2 })).toBe('watch seconds 1 → 2')
    expect(changeLine(null, { redCoinPrice: 5 })).toBe('RedCoin price 5')
  })

  it.each([
    ['courier none → Exa', { courier: null }, { courier: 'Exa' }],
    ['note none → x', { note: '' }, { note: 'x' }],
    ['note none → none', { note: null }, { note: 'none' }],
    ['is active yes → no', { isActive: true }, { isActive: false }],
    ['total 3,515 → 3,815', { total: 3515 }, { total: 3815 }],
    ['pack type id 1234 → 1235', { packTypeId: 1234 }, { packTypeId: 1235 }],
    ['countries none → PT, ES', { countries: [] }, { countries: ['PT', 'ES'] }],
    ['pack type ids 1234, 2 → 2', { packTypeIds: [1234, 2] }, { packTypeIds: [2] }],
  ])('says the change %s in words', (line, before, after) => {
    expect(changeLine(before, after)).toBe(line)
  })

  it('puts what changed first', () => {
    expect(changesOf({ a: 1, b: 2 }, { a: 1, b: 3, c: [{ d: 4 }] })).toEqual([
      { field: 'b', before: '2', after: '3', isChanged: true },
      { field: 'c', before: undefined, after: '[\n  {\n    "d": 4\n  }\n]', isChanged: true },
      { field: 'a', before: '1', after: '1', isChanged: false },
    ])
    expect(changesOf(null, null)).toEqual([])
    expect(changeLine({ a: 1 }, null)).toBe('a 1 → none')
    expect(changeLine(null, { a: 1, b: 2, c: 3, d: 4 })).toBe('a 1, b 2, c 3 and 1 more')
  })

  it('takes days as they begin here', () => {
    expect(startOfDay('2026-11-20')).toBe(new Date(2026, 10, 20).toISOString())
    expect(startOfDay('2026-11-30', 1)).toBe(new Date(2026, 11, 1).toISOString())
    expect(startOfDay('')).toBeUndefined()
  })
})
