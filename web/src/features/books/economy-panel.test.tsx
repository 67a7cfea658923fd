// The Economy tab: books, flows, packs, forecast and simulation, as staff see them.

import {
  adminEconomyContract,
  adminPackTypesContract,
  type EconomyFlow,
  type SimulationResult,
} from '@redpack/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { testNow } from '../../../../tools/test-clock.ts'
import {
  records,
  type Sent,
  samplePackEconomy,
  samplePackType,
} from '../../../test/catalogue-samples.ts'
import { answers, mockServer, refuses, replies } from '../../../test/mock-server.ts'
import { renderApp, renderPart } from '../../../test/render.tsx'
import { daysText, EconomyPanel, shareText } from './economy-panel.tsx'

const server = mockServer()

const flow: EconomyFlow = {
  days: [
    { day: '2026-11-20', sources: [], sinks: [], created: 900, removed: 0 },
    { day: '2026-11-21', sources: [], sinks: [], created: 300, removed: 450 },
  ],
  totals: {
    sources: [
      { type: 'pack_consolation', amount: 200 },
      { type: 'prize_win', amount: 1000 },
    ],
    sinks: [{ type: 'store_purchase', amount: 450 }],
    created: 1200,
    removed: 450,
  },
  inCirculation: 48_000,
}
const simulated: SimulationResult = {
  packTypeId: 1,
  packTypeName: 'Crown Pack',
  openings: 1000,
  prizes: [
    {
      prizeId: 11,
      name: 'Hoodie',
      chance: 0.25,
      expectedWins: 250,
      wins: 3,
      soldOut: 245,
      observed: 0.248,
      low: 0.21,
      high: 0.28,
      redCoinPaid: 0,
      soldOutAtOpening: 14,
    },
  ],
  losingPacks: 997,
  consolationPaid: 4985,
  redCoinPaid: 5000,
  packsGiven: 0,
  storePrice: 250,
  redCoinSpent: 250_000,
  durationMillis: 12,
}

const books = {
  drift: 0,
  checkedAt: '2026-11-21T09:00:00.000Z',
  runningSince: null,
  failingSince: null,
  isOverdue: false,
}
const rule = { id: 'a', brokenRows: 0, checkedAt: books.checkedAt, failure: null }

beforeEach(() => {
  server.use(
    answers(adminPackTypesContract.list, [samplePackType()]),
    answers(adminEconomyContract.books, {
      ...books,
      invariants: [{ ...rule, title: 'Balances are the sums of their entries' }],
    }),
    answers(adminEconomyContract.flow, flow),
    answers(adminEconomyContract.packs, [samplePackEconomy()]),
    answers(adminEconomyContract.stock, [
      {
        prizeId: 11,
        name: 'Hoodie',
        stock: 3,
        packTypes: [{ id: 1, name: 'Crown Pack', chance: 0.25 }],
        openingsPerDay: 8,
        winsLastWeek: 14,
        winsPerDay: 2,
        openingsLeft: 12,
        daysLeft: 1.5,
        runsOutAt: '2026-11-23T09:00:00.000Z',
      },
    ]),
  )
})

describe('the books', () => {
  it('agree, or say how many invariants do not hold', async () => {
    const { unmount } = await renderPart(<EconomyPanel />)
    expect(await screen.findByText('The books are OK')).toBeTruthy()
    expect(screen.getByText('Balances are the sums of their entries')).toBeTruthy()
    unmount()
    server.use(
      answers(adminEconomyContract.books, {
        ...books,
        drift: 1,
        checkedAt: new Date(testNow()).toISOString(),
        invariants: [
          { ...rule, title: 'Stock is its history', brokenRows: 1 },
          { ...rule, id: 'b', title: 'Draws are fair', failure: 'it took too long' },
        ],
      }),
    )
    await renderPart(<EconomyPanel />)
    expect(await screen.findByText('1 check failed')).toBeTruthy()
    expect(screen.getByText('just now').parentElement?.textContent).toBe('Checked just now')
    expect(screen.getByText('Stock is its history (1 row)')).toBeTruthy()
    const failing = 'Draws are fair. Could not be checked: it took too long'
    expect(screen.getByText(failing)).toBeTruthy()
  })
})

describe('sources and sinks', () => {
  it('are a chart with a table twin, and sums by kind', async () => {
    await renderPart(<EconomyPanel />)
    const chart = await screen.findByRole('img', {
      name: /RedCoin per day: 1,200 created, 450 removed/,
    })
    const heights = (fill: string) =>
      [...chart.querySelectorAll(fill)].map((bar) => Math.round(Number(bar.getAttribute('height'))))
    // 900 up and 450 down fill the 200 units between them.
    expect(heights('.fill-chart-up')).toEqual(expect.arrayContaining([133, 44]))
    expect(heights('.fill-chart-down')).toContain(67)
    const table = within(screen.getByRole('table', { name: 'RedCoin per day', hidden: true }))
    const rows = table.getAllByRole('row', { hidden: true }).map(({ textContent }) => textContent)
    expect(rows).toEqual(['DayCreatedRemoved', 'Nov 21300450', 'Nov 209000'])
    const sources = within(screen.getByRole('region', { name: 'Sources' }))
    expect(sources.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Prizes won1,000 · 83%',
      'Consolations200 · 17%',
    ])
  })

  it('says its days in the address, and shows those that an address names', async () => {
    const asked: string[] = []
    server.use(
      replies(adminEconomyContract.flow, (request) => {
        asked.push(new URL(request.url).search)
        return HttpResponse.json(flow)
      }),
    )
    const { user, router } = await renderApp('/admin?tab=economy&days=90')
    const days = (count: number) => screen.findByRole('button', { name: `${count} days` })
    expect((await days(90)).getAttribute('aria-pressed')).toBe('true')
    await waitFor(() => expect(asked).toEqual(['?days=90']))
    await user.click(await days(30))
    await waitFor(() => expect(asked.at(-1)).toBe('?days=30'))
    expect(router.state.location.search).toMatchObject({ tab: 'economy' })
    expect(router.state.location.search).not.toHaveProperty('days', 90)
    await user.click(await days(90))
    await waitFor(() => expect(String(router.state.location.search.days)).toBe('90'))
    // Days that nobody offers stand for the usual ones.
    await router.navigate({ to: '.', search: { tab: 'economy', days: 7 } })
    await waitFor(async () => expect((await days(30)).getAttribute('aria-pressed')).toBe('true'))
  })
})

describe('the packs', () => {
  it('show real chances, what they pay, and warnings', async () => {
    const warning = {
      code: 'pays_more_than_price' as const,
      message: 'It pays more than it costs.',
    }
    server.use(
      answers(adminEconomyContract.packs, [
        samplePackEconomy({ warnings: [warning], expectedRedCoinWithPacks: null }),
      ]),
    )
    await renderPart(<EconomyPanel />)
    const pack = within(await screen.findByRole('article', { name: 'Crown Pack' }))
    expect(pack.getByText('12.5 RedCoin')).toBeTruthy()
    expect(pack.getByText('No limit')).toBeTruthy()
    expect(pack.getByText('It pays more than it costs.')).toBeTruthy()
    const chances = pack.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(chances).toEqual(['Hoodie Sold out25.00%', 'No prize (pays 5 RedCoin) 75.00%'])
  })

  it('may be none', async () => {
    server.use(answers(adminEconomyContract.packs, []))
    await renderPart(<EconomyPanel />)
    expect(await screen.findByText('No pack types found')).toBeTruthy()
  })
})

describe('the forecast', () => {
  it('says when stock runs out', async () => {
    vi.setSystemTime('2026-11-21T21:00:00.000Z')
    await renderPart(<EconomyPanel />)
    const row = within(await screen.findByRole('row', { name: /^Hoodie/ }))
    expect(row.getByText('In 2 days')).toBeTruthy()
    expect(row.getByText('Nov 23, 2026')).toBeTruthy()
    expect(row.getByText('12')).toBeTruthy()
  })
})

describe('the simulation', () => {
  it('asks for a pack type, runs, and reports', async () => {
    const sent: Sent[] = []
    server.use(records(adminEconomyContract.simulate, simulated, sent))
    const { user } = await renderPart(<EconomyPanel />)
    const form = within(screen.getByRole('form', { name: 'Simulation' }))
    await user.click(form.getByRole('button', { name: 'Simulate' }))
    expect(await form.findByText('Please select a pack type')).toBeTruthy()
    expect(sent).toEqual([])
    await form.findByRole('option', { name: 'Crown Pack' })
    await user.selectOptions(form.getByLabelText('Pack type'), 'Crown Pack')
    await user.click(form.getByRole('button', { name: 'Simulate' }))
    expect(await screen.findByText('5,000 RedCoin')).toBeTruthy()
    expect(sent).toMatchObject([{ body: { packTypeId: 1, openings: 10_000 } }])
    expect(screen.getByText('5 RedCoin')).toBeTruthy()
    expect(screen.getByText('At opening 14')).toBeTruthy()
    expect(screen.getByLabelText('As expected')).toBeTruthy()
  })

  it('says why it could not run', async () => {
    server.use(refuses(adminEconomyContract.simulate, 409, 'Another simulation is running'))
    const { user } = await renderPart(<EconomyPanel />)
    const form = within(screen.getByRole('form', { name: 'Simulation' }))
    await form.findByRole('option', { name: 'Crown Pack' })
    await user.selectOptions(form.getByLabelText('Pack type'), 'Crown Pack')
    await user.click(form.getByRole('button', { name: 'Simulate' }))
    expect(await screen.findByText('Another simulation is running')).toBeTruthy()
  })
})

describe('numbers', () => {
  it('read as shares and days', () => {
    expect([shareText(0.12345), shareText(0), shareText(1e-9)]).toEqual([
      '12.35%',
      '0.00%',
      '<0.01%',
    ])
    expect([daysText(0.01), daysText(0.1), daysText(1), daysText(12.4)]).toEqual([
      'less than an hour',
      '2 hours',
      '1 day',
      '12 days',
    ])
  })
})
