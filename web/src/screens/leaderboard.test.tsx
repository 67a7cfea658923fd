// The Leaderboard as its user sees it.

import { authContract, coinsContract, type LeaderboardEntry, type OwnRank } from '@redpack/contract'
import { act, configure, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { answers, mockServer, refuses, replies } from '../../test/mock-server.ts'
import { renderApp } from '../../test/render.tsx'
import { sampleUser } from '../../test/samples.ts'
import { rankingPollMs } from '../features/ledger/leaderboard-queries.ts'
import { announceBalance } from '../features/session/balance-queries.ts'
import { realtime } from '../lib/realtime.ts'

// Asking of every row whether it can be seen would take longer than all the rest; nothing here
// hides.
configure({ defaultHidden: true })

const server = mockServer(refuses(authContract.me, 401, 'Unauthorized'))

let limits: number[]
beforeEach(() => {
  limits = []
})

function viewer(position: number): LeaderboardEntry {
  return {
    rank: position,
    displayName: `Viewer ${position}`,
    username: `viewer${position}`,
    avatar: null,
    redCoinBalance: 2_000_000 - position,
  }
}

function rank(count: number) {
  server.use(
    replies(coinsContract.leaderboard, (request) => {
      const limit = Number(new URL(request.url).searchParams.get('limit'))
      limits.push(limit)
      const shown = Math.min(limit, count)
      return HttpResponse.json(Array.from({ length: shown }, (_, index) => viewer(index + 1)))
    }),
  )
}

/** Fails the requests with one limit only. */
function failFor(limit: number) {
  server.use(
    replies(coinsContract.leaderboard, (request) =>
      request.url.endsWith(`limit=${limit}`)
        ? HttpResponse.json({ message: 'Nothing works' }, { status: 500 })
        : HttpResponse.json([viewer(1), viewer(2), viewer(3), viewer(4)]),
    ),
  )
}

/** First and last position in the list. */
function shownPositions(): [string | undefined, string | undefined] {
  const rows = within(screen.getByRole('list', { name: /^Ranking from/ })).getAllByRole('listitem')
  const positionIn = (row: HTMLElement | undefined) =>
    row?.firstElementChild?.textContent ?? undefined
  return [positionIn(rows[0]), positionIn(rows.at(-1))]
}

describe('the podium', () => {
  it('shows three places in order, with name, username and balance', async () => {
    rank(60)
    await renderApp('/leaderboard')
    const places = within(await screen.findByRole('list', { name: 'Top 3' })).getAllByRole(
      'listitem',
    )
    expect(places).toHaveLength(3)
    for (const [index, ordinal] of ['1st', '2nd', '3rd'].entries()) {
      const position = index + 1
      const place = within(places[index]!)
      for (const text of [ordinal, `Viewer ${position}`, `@viewer${position}`]) {
        expect(place.getByText(text)).toBeTruthy()
      }
      const balance = place.getByText((2_000_000 - position).toLocaleString())
      expect(balance.parentElement?.textContent).toContain('RedCoin')
    }
    expect(limits).toContain(3)
    expect(screen.getByText('Rankings update in real time')).toBeTruthy()
  })

  it('is empty while nobody is ranked', async () => {
    rank(0)
    await renderApp('/leaderboard')
    expect(await screen.findByText('No Rankings Yet')).toBeTruthy()
    expect(screen.queryByRole('heading', { name: /Ranking/ })).toBeNull()
  })

  it('says that it could not be loaded, apart from the list', async () => {
    failFor(3)
    await renderApp('/leaderboard')
    expect(await screen.findByText('Failed to fetch top 3')).toBeTruthy()
    expect(await screen.findByText('Viewer 4')).toBeTruthy()
    expect(screen.queryByText('Failed to fetch leaderboard')).toBeNull()
  })
})

describe('the ranking', () => {
  it('holds 50 on a page from position 4 on, and asks for everyone down to its end', async () => {
    rank(60)
    const { user, router } = await renderApp('/leaderboard')
    await screen.findByText('Viewer 4')
    await waitFor(() => expect(shownPositions()).toEqual(['4', '53']))
    expect(screen.queryByText(/Your position/)).toBeNull()
    expect(screen.getByText('Page 1')).toBeTruthy()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Previous' }).disabled).toBe(true)
    await user.click(screen.getByRole('button', { name: 'Next' }))
    await screen.findByText('Viewer 54')
    expect(shownPositions()).toEqual(['54', '60'])
    expect(screen.getByText('Page 2')).toBeTruthy()
    expect(router.state.location.search).toEqual({ page: 2 })
    expect(limits.filter((limit) => limit !== 3)).toEqual([53, 103])
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Next' }).disabled).toBe(true)
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: /Ranking/ }))
    await user.click(screen.getByRole('button', { name: 'Previous' }))
    expect(await screen.findByText('Viewer 4')).toBeTruthy()
  })

  it('keeps Previous on an empty page after a full one', async () => {
    rank(53)
    const { user } = await renderApp('/leaderboard')
    await screen.findByText('Viewer 53')
    await user.click(screen.getByRole('button', { name: 'Next' }))
    expect(await screen.findByText('No one is ranked at position 54 or below.')).toBeTruthy()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Previous' }).disabled).toBe(false)
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Next' }).disabled).toBe(true)
  })

  it('says that it could not be loaded, apart from the podium', async () => {
    failFor(53)
    await renderApp('/leaderboard')
    expect(await screen.findByText('Failed to fetch leaderboard')).toBeTruthy()
    expect(await screen.findByText('Viewer 1')).toBeTruthy()
  })

  it('is asked for again after a change of a balance', async () => {
    rank(60)
    await renderApp('/leaderboard')
    await screen.findByText('Viewer 4')
    await screen.findByText('Viewer 1')
    expect(limits.toSorted((one, other) => one - other)).toEqual([3, 53])
    act(() => announceBalance(900))
    await waitFor(() => expect(limits).toHaveLength(4))
  })

  it('is asked for every 30 seconds, and not while the socket brings the news', async () => {
    rank(60)
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setInterval', 'clearInterval', 'Date'] })
    await renderApp('/leaderboard')
    await screen.findByText('Viewer 4')
    await screen.findByText('Viewer 1')
    act(() => vi.advanceTimersByTime(rankingPollMs))
    await waitFor(() => expect(limits).toHaveLength(4))
    act(() => realtime.setOpen(true))
    act(() => vi.advanceTimersByTime(3 * rankingPollMs))
    expect(limits).toHaveLength(4)
    act(() => realtime.setOpen(false))
    act(() => vi.advanceTimersByTime(rankingPollMs))
    await waitFor(() => expect(limits).toHaveLength(6))
  })

  it('marks the own row and says the own position from every page', async () => {
    server.use(answers(authContract.me, sampleUser({ username: 'viewer7' })))
    ownRank({ rank: 7 })
    rank(60)
    const { user } = await renderApp('/leaderboard?page=2')
    await user.click(await screen.findByRole('button', { name: 'Go to page 1' }))
    await screen.findByText('Viewer 4')
    const ranking = within(screen.getByRole('list', { name: /^Ranking from/ }))
    const own = ranking.getByText('@viewer7').closest('li')
    expect(own?.getAttribute('aria-current')).toBe('true')
    expect(ranking.getByText('@viewer8').closest('li')?.getAttribute('aria-current')).toBeNull()
    expect(screen.getByText(/^Your position/).textContent).toBe('Your position: 7')
  })

  it('marks the own place where several people have one shown name', async () => {
    server.use(
      answers(authContract.me, sampleUser({ username: 'viewer6' })),
      replies(coinsContract.leaderboard, () =>
        HttpResponse.json(
          Array.from({ length: 8 }, (_, at) => ({ ...viewer(at + 1), username: 'shown' })),
        ),
      ),
    )
    ownRank({ rank: 6 })
    await renderApp('/leaderboard')
    await screen.findByText(/^Your position/)
    const ranking = within(await screen.findByRole('list', { name: /^Ranking from/ }))
    const marks = ranking.getAllByRole('listitem').map((row) => row.getAttribute('aria-current'))
    expect(marks).toEqual([null, null, 'true', null, null])
    const podium = within(screen.getByRole('list', { name: 'Top 3' }))
    expect(podium.queryByText('You')).toBeNull()
  })
})

/** The caller's own place, different where the test says so. */
function ownRank(change: Partial<OwnRank> = {}): void {
  server.use(
    answers(coinsContract.ownRank, {
      rank: 812,
      redCoinBalance: 40,
      isHidden: false,
      neighbours: [811, 812, 813].map((at) => ({ ...viewer(at), isSelf: at === 812 })),
      ...change,
    }),
  )
}

describe('the own place', () => {
  beforeEach(() => {
    server.use(answers(authContract.me, sampleUser({ username: 'viewer812' })))
    ownRank()
    rank(60)
  })

  it('stands among its neighbours, however far down it is', async () => {
    await renderApp('/leaderboard')
    const list = await screen.findByRole('list', { name: 'Places around yours' })
    const rows = within(list).getAllByRole('listitem')
    expect(rows.map((row) => row.firstElementChild?.textContent)).toEqual(['811', '812', '813'])
    expect(rows.map((row) => row.getAttribute('aria-current'))).toEqual([null, 'true', null])
    expect(screen.getByText(/^Your position/).textContent).toBe('Your position: 812')
  })

  it.each([2, 6])('says position %i alone where its row is on the page', async (own) => {
    ownRank({ rank: own })
    await renderApp('/leaderboard')
    expect((await screen.findByText(/^Your position/)).textContent).toBe(`Your position: ${own}`)
    expect(screen.queryByRole('list', { name: 'Places around yours' })).toBeNull()
    expect(screen.queryByRole('button', { name: /^Go to page/ })).toBeNull()
  })

  it('is hidden and shown by a switch, which the ranking follows', async () => {
    const sent: unknown[] = []
    server.use(
      replies(coinsContract.changeVisibility, async (request) => {
        sent.push(await request.json())
        ownRank({ isHidden: true })
        return HttpResponse.json({ isHidden: true })
      }),
    )
    const { user } = await renderApp('/leaderboard')
    const hide = await screen.findByRole('switch', { name: 'Hide me from the leaderboard' })
    await screen.findByText('Viewer 4')
    const before = limits.length
    expect(hide.getAttribute('aria-checked')).toBe('false')
    await user.click(hide)
    expect(await screen.findByText('Only you see this')).toBeTruthy()
    expect(screen.getByText(/^You are hidden/).textContent).toMatch(/would be: 812$/)
    expect(sent).toEqual([{ isHidden: true }])
    expect(hide.getAttribute('aria-checked')).toBe('true')
    await waitFor(() => expect(limits.length).toBeGreaterThan(before))
  })

  it('goes back when the choice could not be saved', async () => {
    server.use(refuses(coinsContract.changeVisibility, 503, 'Nothing works'))
    const { user } = await renderApp('/leaderboard')
    const hide = await screen.findByRole('switch', { name: 'Hide me from the leaderboard' })
    await user.click(hide)
    expect(await screen.findByText('Nothing works')).toBeTruthy()
    await waitFor(() => expect(hide.getAttribute('aria-checked')).toBe('false'))
  })

  it.each([
    [0, 'You are not ranked yet. Earn RedCoin to join the ranking.'],
    [9, 'This account is not ranked.'],
  ])('says why there is none with %i RedCoin', async (redCoinBalance, sentence) => {
    ownRank({ rank: null, redCoinBalance, neighbours: [] })
    await renderApp('/leaderboard')
    expect(await screen.findByText(sentence)).toBeTruthy()
  })

  it('says that it could not be loaded', async () => {
    server.use(refuses(coinsContract.ownRank, 500, 'Nothing works'))
    await renderApp('/leaderboard')
    expect(await screen.findByText('Your place could not be loaded')).toBeTruthy()
  })
})
