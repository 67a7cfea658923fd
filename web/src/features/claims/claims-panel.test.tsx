// The Prize Claims tab of the panel, as staff use it.

import {
  adminClaimsContract,
  adminUsersContract,
  type ChangeManyClaimsRequest,
} from '@redpack/contract'
import { claimsSortedMax } from '@redpack/contract/limits'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { records, type Sent } from '../../../test/catalogue-samples.ts'
import { claimsScene, coins, completed, pending, processing } from '../../../test/claims-scene.ts'
import { holdWaits } from '../../../test/held-waits.ts'
import { answers, refuses, replies } from '../../../test/mock-server.ts'
import { pressButton } from '../../../test/press.ts'
import { renderApp } from '../../../test/render.tsx'
import { expectDone, expectFailed, lastToast } from '../../../test/toasts.ts'
import { formatMoment } from '../../lib/format.ts'
import { streamerMode } from '../../lib/streamer-mode.ts'
import { sampleAdminUser, sampleClaim, sampleUsersPage } from '../people/sample-users.fixture.ts'
import { claimsPollMs } from './staff-queries.ts'

const { server, asked, serveClaims, open } = claimsScene()

const rowOf = (text: string) => within(screen.getByText(text).closest('tr') as HTMLElement)

describe('the list', () => {
  it('opens by its other word too, with its columns and its count', async () => {
    server.use(serveClaims([pending, processing, completed, coins], 61, 237))
    await open('/admin?tab=prize-claims')
    const tabs = within(screen.getByRole('navigation', { name: 'Admin tabs' }))
    const tab = tabs.getByRole('link', { name: 'Prize Claims' })
    expect(tab.getAttribute('aria-current')).toBe('page')
    expect([tab.dataset.tab, tab.dataset.tabOther]).toEqual(['prize-claims', 'claims'])
    expect(screen.getByText('Showing 61 of 237 total claims')).toBeTruthy()
    const headers = screen.getAllByRole('columnheader').map((header) => header.textContent)
    expect(headers.slice(1)).toEqual([
      ...['Claim ID', 'User', 'Prize', 'Status', 'RedCoin', 'Claimed At', 'Actions'],
    ])
    const row = rowOf('PR-CLAIM1')
    expect(row.getByText('@lunafox')).toBeTruthy()
    expect(row.getByText('Hoodie')).toBeTruthy()
    expect(row.getByText('Physical Prize')).toBeTruthy()
    expect(row.getByText('pending')).toBeTruthy()
    const day = formatMoment(pending.createdAt)
    expect(row.getByText(day)).toBeTruthy()
    expect(rowOf('Jackpot').getByText('500')).toBeTruthy()
    // A claim without Claim ID is named by its number.
    expect(screen.getByText('PR-3')).toBeTruthy()
  })

  it('has pages of 50, and is sorted, by winner and prize where they are few enough', async () => {
    server.use(serveClaims([pending], 500))
    const { user, router } = await open()
    expect([asked[0]?.get('limit'), asked[0]?.get('sort')]).toEqual(['50', '-createdAt'])
    const pages = within(screen.getByRole('navigation', { name: 'Prize claims pages' }))
    expect(pages.getAllByRole('button', { name: /^Page \d/ })).toHaveLength(5)
    const previous = pages.getByRole('button', { name: 'Previous' })
    expect(previous.getAttribute('aria-disabled')).toBe('true')
    await user.click(pages.getByRole('button', { name: 'Next' }))
    await waitFor(() => expect(asked.at(-1)?.get('page')).toBe('2'))
    expect(router.state.location.search).toMatchObject({ page: 2 })
    const table = within(screen.getByRole('table'))
    const sortable = table
      .getAllByRole('columnheader')
      .filter((header) => header.hasAttribute('aria-sort'))
    expect(sortable.map((header) => header.textContent)).toEqual([
      'User',
      'Prize',
      'Status',
      'Claimed At',
    ])
    const sorts = { Prize: 'prize', Status: 'status', 'Claimed At': 'createdAt' }
    for (const [name, sort] of Object.entries(sorts)) {
      await user.click(table.getByRole('button', { name }))
      await waitFor(() => expect(asked.at(-1)?.get('sort')).toBe(sort))
      expect(router.state.location.search).toMatchObject({ sort })
    }
    server.use(serveClaims([pending], claimsSortedMax + 1))
    await user.click(table.getByRole('button', { name: 'Status' }))
    await waitFor(() => expect(table.queryByRole('button', { name: 'Prize' })).toBeNull())
  })

  it('offers Approve or Complete by status and by what was won, whatever else it says', async () => {
    const owed = { status: 'pending', redCoinAmount: 500 } as const
    server.use(
      serveClaims([
        ...[pending, processing, completed, coins],
        sampleClaim(11, { ...owed, claimId: 'PR-PAID' }),
        // The prize pays RedCoin today; what was won was a thing.
        sampleClaim(12, {
          claimId: 'PR-THING',
          prize: { id: 30, name: 'Hoodie', redCoinAmount: 500 },
        }),
        // Packs were delivered when they were won.
        sampleClaim(15, { claimId: 'PR-PACKS', status: 'completed', isAutoCompleted: true }),
        sampleClaim(13, { claimId: 'PR-GONE', deletedAt: '2026-11-20T10:00:00.000Z' }),
      ]),
    )
    await open()
    const acts = (name: string) =>
      rowOf(name)
        .queryAllByRole('button', { name: /Approve|Complete|Delete|Restore/ })
        .map((button) => button.getAttribute('aria-label'))
    expect(acts('PR-CLAIM1')).toEqual(['Approve PR-CLAIM1', 'Delete PR-CLAIM1'])
    expect(acts('PR-CLAIM2')).toEqual(['Complete PR-CLAIM2', 'Delete PR-CLAIM2'])
    expect(acts('PR-3')).toEqual([])
    expect(acts('PR-THING')).toEqual(['Approve PR-THING', 'Delete PR-THING'])
    expect(acts('PR-GONE')).not.toContain('Approve PR-GONE')
    for (const name of ['Jackpot', 'PR-PAID', 'PR-PACKS']) {
      expect(acts(name)).toEqual([])
      expect(rowOf(name).getByText('Auto-completed')).toBeTruthy()
    }
    expect(rowOf('PR-THING').queryByText('Auto-completed')).toBeNull()
    expect(rowOf('PR-PACKS').getByText('Physical Prize')).toBeTruthy()
  })

  it('says why it could not be loaded', async () => {
    server.use(
      replies(
        adminClaimsContract.list,
        () => new HttpResponse('books are closed', { status: 500 }),
      ),
    )
    const { user } = await renderApp('/admin?tab=claims')
    expect(
      await screen.findByText(
        'Error loading prize claims: 500 Internal Server Error: books are closed',
      ),
    ).toBeTruthy()
    server.use(serveClaims([pending]))
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('PR-CLAIM1')).toBeTruthy()
  })

  it('is empty with and without a filter', async () => {
    server.use(serveClaims([]))
    const { user } = await renderApp('/admin?tab=claims')
    expect(await screen.findByText('No claims found matching current filters')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Delete All' })).toBeNull()
    await user.selectOptions(screen.getByLabelText('Status'), 'All Claims')
    expect(await screen.findByText('No prize claims found')).toBeTruthy()
  })
})

describe('the filter', () => {
  const labels = () =>
    within(screen.getByLabelText('Status'))
      .getAllByRole('option')
      .map((option) => [option.textContent, (option as HTMLOptionElement).value])

  it.each([
    {
      page: '/admin',
      first: [
        ['Pending', 'pending'],
        ['All Claims', 'all'],
        ['Completed', 'completed'],
      ],
      other: ['Completed', 'completed'],
    },
    {
      page: '/admin-old',
      first: [
        ['All Status', 'all'],
        ['Pending', 'pending'],
        ['Completed', 'completed'],
        ['Processing', 'processing'],
      ],
      other: ['Processing', 'processing'],
    },
  ])('of $page starts with its usual status', async ({ page, first, other: [label, status] }) => {
    const { user } = await open(`${page}?tab=claims`)
    expect(labels().slice(0, first.length)).toEqual(first)
    expect(asked[0]?.get('status')).toBe(first[0]?.[1])
    await user.selectOptions(screen.getByLabelText('Status'), label ?? '')
    await waitFor(() => expect(asked.at(-1)?.get('status')).toBe(status))
  })
})

describe('the search', () => {
  it('runs on Search and on Enter, and Clear resets', async () => {
    const { user } = await open()
    const field = screen.getByRole('combobox', { name: 'Search claims' }) as HTMLInputElement
    fireEvent.change(field, { target: { value: 'PR-CLAIM1' } })
    expect(asked.at(-1)?.get('search')).toBe('')
    await user.click(screen.getByRole('button', { name: 'Search' }))
    await waitFor(() => expect(asked.at(-1)?.get('search')).toBe('PR-CLAIM1'))
    for (const needle of ['lunafox', 'Hoodie']) {
      fireEvent.change(field, { target: { value: needle } })
      await user.type(field, '{Enter}')
      await waitFor(() => expect(asked.at(-1)?.get('search')).toBe(needle))
    }
    await user.selectOptions(screen.getByLabelText('Status'), 'Completed')
    await user.click(screen.getByRole('button', { name: 'Clear' }))
    await waitFor(() => expect(asked.at(-1)?.get('search')).toBe(''))
    expect(asked.at(-1)?.get('status')).toBe('pending')
    expect(field.value).toBe('')
  })

  it('suggests five usernames; one is searched, or they close 200 ms after it was left', async () => {
    const many = Array.from({ length: 8 }, (_, index) => sampleAdminUser(index + 1))
    server.use(answers(adminUsersContract.list, sampleUsersPage(many)))
    const { user } = await open()
    const field = screen.getByRole('combobox', { name: 'Search claims' })
    await user.click(field)
    await user.paste('view')
    const offers = within(await screen.findByRole('listbox', { name: 'Suggestions' }))
    await waitFor(() => expect(offers.getAllByRole('option', { name: /^viewer/ })).toHaveLength(5))
    await user.click(offers.getByRole('option', { name: /^viewer2/ }))
    await waitFor(() => expect(asked.at(-1)?.get('search')).toBe('viewer2'))
    await user.clear(field)
    await user.paste('view')
    const again = await screen.findByRole('listbox', { name: 'Suggestions' })
    vi.useFakeTimers()
    fireEvent.blur(field)
    act(() => vi.advanceTimersByTime(199))
    expect(again.hidden).toBe(false)
    act(() => vi.advanceTimersByTime(1))
    expect(again.hidden).toBe(true)
  })
})

describe('Approve', () => {
  it('completes the claim after a question, which stays only for what may go well later', async () => {
    const { user } = await open()
    const confirm = () => user.click(screen.getByRole('button', { name: 'Confirm' }))
    const failed = 'Error updating prize claim'
    await pressButton(user, 'Approve PR-CLAIM1')
    server.use(refuses(adminClaimsContract.update, 409, 'Claim is already completed'))
    await confirm()
    await expectFailed(failed, 'Claim is already completed')
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    await pressButton(user, 'Approve PR-CLAIM1')
    const question = within(await screen.findByRole('alertdialog'))
    expect(question.getByText('Mark this prize claim as complete?')).toBeTruthy()
    const noAnswer = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error(''))
    await confirm()
    await expectFailed(failed, 'Failed to update prize claim status')
    noAnswer.mockRestore()
    const sent: Sent[] = []
    server.use(records(adminClaimsContract.update, { ...pending, status: 'completed' }, sent))
    await confirm()
    await expectDone('Prize claim updated successfully: PR-CLAIM1')
    expect(sent).toEqual([
      { path: '/api/admin/prize-claims/1', body: { status: 'completed' }, key: null },
    ])
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  })
})

it('no name, question or message says a Claim ID in streamer mode', async () => {
  server.use(answers(adminClaimsContract.remove, { success: true, message: 'ok' }))
  const { user } = await open()
  act(() => streamerMode.set(true))
  expect(screen.getByRole('checkbox', { name: 'Select Mug of lunafox' })).toBeTruthy()
  await pressButton(user, 'Delete Hoodie of lunafox')
  const question = within(await screen.findByRole('alertdialog'))
  expect(question.getByText(/Hoodie, @lunafox/)).toBeTruthy()
  await user.click(question.getByRole('button', { name: 'Confirm' }))
  await screen.findByText('Deleted Hoodie of lunafox.')
  await expectDone('Prize claim deleted successfully: Hoodie of lunafox')
  expect(new XMLSerializer().serializeToString(document.body)).not.toContain('PR-CLAIM')
  streamerMode.set(false)
})

it('one in the works is completed, alone, and never approved with others', async () => {
  server.use(serveClaims([pending, processing]))
  const { user } = await open()
  await pressButton(user, 'Complete PR-CLAIM2')
  const question = await screen.findByRole('alertdialog', { name: 'Complete' })
  await user.click(within(question).getByRole('button', { name: 'Cancel' }))
  await user.click(screen.getByRole('checkbox', { name: 'Select all on this page' }))
  expect(screen.getByRole('button', { name: 'Delete 2' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Approve 1' }))
  const text = (await screen.findByRole('alertdialog', { name: 'Approve' })).textContent
  expect([text?.includes('PR-CLAIM1'), text?.includes('PR-CLAIM2')]).toEqual([true, false])
})

describe('several claims', () => {
  const names = 'PR-CLAIM1, PR-CLAIM5, PR-CLAIM6'
  /** Answers one act on many claims; those whose numbers are given are refused. */
  function serveMany(refused: readonly number[] = []) {
    const sent: { readonly body: ChangeManyClaimsRequest; readonly key: string | null }[] = []
    server.use(
      serveClaims([pending, sampleClaim(5), sampleClaim(6)]),
      replies(adminClaimsContract.changeMany, async (request) => {
        const body = (await request.json()) as ChangeManyClaimsRequest
        sent.push({ body, key: request.headers.get('idempotency-key') })
        return HttpResponse.json(manyAnswer(body.ids, refused))
      }),
    )
    return sent
  }
  function manyAnswer(ids: readonly number[], refused: readonly number[]) {
    const reason = 'Claim is already completed'
    const verdicts = ids.map((id) =>
      refused.includes(id)
        ? { id, claimId: `PR-CLAIM${id}`, verdict: 'refused', code: 'already_completed', reason }
        : { id, claimId: `PR-CLAIM${id}`, verdict: 'done', code: null, reason: null },
    )
    const refusedCount = refused.length
    const doneCount = ids.length - refusedCount
    return { success: true, message: '', verdicts, doneCount, refusedCount, batchId: null }
  }
  async function press(name: string) {
    const rendered = await open()
    await rendered.user.click(screen.getByRole('checkbox', { name: 'Select all on this page' }))
    await rendered.user.click(screen.getByRole('button', { name }))
    const confirm = async () =>
      rendered.user.click(await screen.findByRole('button', { name: 'Confirm' }))
    return { ...rendered, confirm }
  }

  it('are deleted by one call', async () => {
    const sent = serveMany()
    const { confirm } = await press('Delete 3')
    await confirm()
    await expectDone(`3 prize claims deleted successfully: ${names}`)
    expect(sent).toMatchObject([{ body: { act: 'delete', ids: [1, 5, 6] } }])
  })

  it('are all tried, whatever is refused; each refusal is told, and the list asked anew', async () => {
    serveMany([1, 5, 6])
    const { confirm, user } = await press('Approve 3')
    await confirm()
    await waitFor(() => expect(lastToast()?.description).toMatch(/^0 of 3 updated\./))
    // Asked once more, they would be refused for the same reasons.
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    serveMany([5])
    await user.click(screen.getByRole('button', { name: 'Approve 3' }))
    const before = asked.length
    await confirm()
    await waitFor(() =>
      expect(lastToast()).toMatchObject({
        title: 'Error updating prize claim',
        description: '2 of 3 updated.\nPR-CLAIM5: Claim is already completed',
      }),
    )
    await waitFor(() => expect(asked.length).toBeGreaterThan(before))
    expect(await screen.findByText('1 selected')).toBeTruthy()
  })

  it('are approved by one call, sent again under the same key when no answer came', async () => {
    const sent = serveMany()
    const keys: (string | null)[] = []
    server.use(
      replies(
        adminClaimsContract.changeMany,
        (request) => {
          keys.push(request.headers.get('idempotency-key'))
          return HttpResponse.error()
        },
        { once: true },
      ),
    )
    const { confirm } = await press('Approve 3')
    await confirm()
    await waitFor(() => expect(lastToast()?.title).toBe('Error updating prize claim'))
    await confirm()
    await expectDone(`3 prize claims updated successfully: ${names}`)
    expect(sent).toEqual([{ body: { act: 'approve', ids: [1, 5, 6] }, key: keys[0] }])
    expect(keys).toEqual([expect.stringMatching(/./)])
    await waitFor(() => expect(screen.queryByText('3 selected')).toBeNull())
  })
})

describe('news of the list', () => {
  it('comes with every Search, the same text included, and every 5 seconds', async () => {
    const pollPasses = holdWaits('Interval', claimsPollMs)
    const { user } = await open('/admin?tab=claims&q=fox')
    const first = asked.length
    await user.click(screen.getByRole('button', { name: 'Search' }))
    await waitFor(() => expect(asked.length).toBe(first + 1))
    await pollPasses()
    await waitFor(() => expect(asked.length).toBe(first + 2))
  })
})
