// The history screen as its user sees it.

import {
  authContract,
  fairnessContract,
  historyContract,
  packsContract,
  type RedCoinEntry,
} from '@redpack/contract'
import { configure, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import { answers, hangs, mockServer, refuses, replies } from '../../test/mock-server.ts'
import { renderApp } from '../../test/render.tsx'
import { samplePagination, sampleUser } from '../../test/samples.ts'

// Asking of every row whether it can be seen would take longer than all the rest.
configure({ defaultHidden: true })

const server = mockServer(answers(authContract.me, sampleUser({ redCoinBalance: 4321 })))

function entry(id: number, change: Partial<RedCoinEntry> = {}): RedCoinEntry {
  return {
    id,
    createdAt: '2026-11-20T10:00:00.000Z',
    amount: 5,
    type: 'pack_consolation',
    description: 'Pack without a prize',
    balanceAfter: 100 + id,
    prizeName: null,
    openingId: null,
    ...change,
  }
}

function pageOf(entries: RedCoinEntry[], page = 1, totalItems = entries.length) {
  return { entries, pagination: samplePagination(totalItems, page) }
}

/** Answers as many entries as there are, in pages, and notes what was asked. */
function serveMany(totalItems: number): URLSearchParams[] {
  const asked: URLSearchParams[] = []
  server.use(
    replies(historyContract.redCoin, ({ url }) => {
      const query = new URL(url).searchParams
      asked.push(query)
      const page = Number(query.get('page'))
      const count = Math.max(0, Math.min(25, totalItems - (page - 1) * 25))
      const made = Array.from({ length: count }, (_, at) => {
        const id = totalItems - (page - 1) * 25 - at
        return entry(id, { description: `Change ${id}` })
      })
      return HttpResponse.json(pageOf(made, page, totalItems))
    }),
  )
  return asked
}

describe('the changes of the balance', () => {
  it('each have their reason, kind, sign and the balance they left', async () => {
    server.use(
      answers(
        historyContract.redCoin,
        pageOf([
          entry(3, {
            type: 'store_purchase',
            amount: -1200,
            description: '2 Gold',
            balanceAfter: 7,
          }),
          entry(2, { type: 'watch_reward', amount: 50, description: 'Watched Ana' }),
          entry(1, { type: 'admin_grant', description: '' }),
        ]),
      ),
    )
    await renderApp('/history')
    await screen.findByText('3 changes, newest first')
    const list = screen.getByRole('region', { name: /Balance history/ })
    const rows = within(list).getAllByRole('listitem')
    const texts = rows.map(({ textContent }) => textContent)
    expect(texts).toHaveLength(3)
    expect(texts[0]).toContain('2 Gold')
    expect(texts[0]).toContain('Store purchase')
    expect(texts[0]).toContain(`\u2212${(1200).toLocaleString()} RedCoin`)
    expect(texts[0]).toContain('Balance 7')
    expect(texts[1]).toContain('Watched Ana')
    expect(texts[1]).toContain('+50 RedCoin')
    expect(texts[2]).toMatch(/^Given by staff/)
  })

  it('are filtered by kind, which the address and the file follow', async () => {
    const asked = serveMany(60)
    const { user, router } = await renderApp('/history?page=2')
    await screen.findByText('Change 35')
    const file = () => screen.getByRole('link', { name: 'Download CSV' })
    expect(file().getAttribute('href')).toBe('/api/redcoin/history.csv')
    expect(file().hasAttribute('download')).toBe(true)
    await user.selectOptions(screen.getByLabelText('Filter'), 'Watch reward')
    await waitFor(() => expect(router.state.location.search).toEqual({ type: 'watch_reward' }))
    await waitFor(() => expect(asked.at(-1)?.toString()).toBe('page=1&limit=25&type=watch_reward'))
    expect(file().getAttribute('href')).toBe('/api/redcoin/history.csv?type=watch_reward')
  })

  it('show nothing of another kind while they load', async () => {
    serveMany(60)
    const { user } = await renderApp('/history')
    await screen.findByText('Change 60')
    server.use(hangs(historyContract.redCoin))
    await user.selectOptions(screen.getByLabelText('Filter'), 'Watch reward')
    await waitFor(() => expect(screen.queryByText('Change 60')).toBeNull())
    expect(screen.queryByText('60 changes')).toBeNull()
  })

  it('are paged in the address, with the focus on the heading', async () => {
    serveMany(60)
    const { user, router } = await renderApp('/history')
    await user.click(await screen.findByRole('button', { name: 'Next' }))
    expect(await screen.findByText('Change 35')).toBeTruthy()
    expect(router.state.location.search).toEqual({ page: 2 })
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: /Balance history/ }))
    expect(await screen.findByText('Page 2 of 3')).toBeTruthy()
  })

  it('leave the focus where it is after the number of the page that is shown', async () => {
    serveMany(60)
    const { user } = await renderApp('/history')
    await user.click(await screen.findByRole('button', { name: 'Page 1' }))
    serveMany(30)
    const filter = screen.getByLabelText('Filter')
    filter.focus()
    await user.selectOptions(filter, 'Watch reward')
    expect(await screen.findByText('Change 30')).toBeTruthy()
    await waitFor(() => expect(screen.queryByText('60 changes')).toBeNull())
    expect(document.activeElement).toBe(filter)
  })

  it('lead back from a page beyond the last', async () => {
    serveMany(30)
    const { router } = await renderApp('/history?page=9')
    expect(await screen.findByText('Change 5')).toBeTruthy()
    expect(router.state.location.search).toEqual({ page: 2 })
  })

  it('show the proof of the draw that paid', async () => {
    server.use(
      answers(
        historyContract.redCoin,
        pageOf([entry(1, { description: 'Won Coins', openingId: 9 })]),
      ),
      refuses(fairnessContract.proof, 500, 'Nothing works'),
    )
    const { user } = await renderApp('/history')
    await user.click(await screen.findByRole('button', { name: /^Proof/ }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Verify this draw' }))
    expect(await dialog.findByText('Error loading the proof')).toBeTruthy()
  })
})

describe('the openings', () => {
  it('stand behind their tab, which the address names', async () => {
    serveMany(60)
    server.use(
      answers(packsContract.types, []),
      answers(fairnessContract.openings, { openings: [], pagination: pageOf([]).pagination }),
    )
    const { user, router } = await renderApp('/history?page=2')
    await user.click(await screen.findByRole('tab', { name: 'Openings' }))
    expect(await screen.findByText('No openings here')).toBeTruthy()
    expect(router.state.location.search).toEqual({ view: 'openings' })
  })

  it.each([
    [30, { view: 'openings', page: 2 }],
    [0, { view: 'openings' }],
  ])('of which there are %i lead back from a page beyond the last', async (total, place) => {
    server.use(
      answers(packsContract.types, []),
      replies(fairnessContract.openings, ({ url }) => {
        const page = Number(new URL(url).searchParams.get('page'))
        return HttpResponse.json({ openings: [], pagination: samplePagination(total, page) })
      }),
    )
    const { router } = await renderApp('/history?view=openings&page=9')
    await waitFor(() => expect(router.state.location.search).toEqual(place))
  })
})
