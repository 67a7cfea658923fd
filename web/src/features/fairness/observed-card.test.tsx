// The comparison of draws with the published odds, as everyone sees it.

import { drawLogContract, type ObservedPrize } from '@redpack/contract'
import { configure, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { answers, mockServer } from '../../../test/mock-server.ts'
import { renderPart } from '../../../test/render.tsx'
import { DrawAlarm } from '../books/overview-panel.tsx'
import { ObservedCard } from './observed-card.tsx'

configure({ defaultHidden: true })

const server = mockServer()

const mug: ObservedPrize = {
  prizeId: 1,
  name: 'Mug',
  publishedChance: 0.01,
  draws: 1000,
  observedWins: 11,
  soldOutDraws: 1,
  low: 0.0056,
  high: 0.0245,
  isOutside: false,
}

function observe(...prizes: ObservedPrize[]) {
  server.use(
    answers(drawLogContract.observed, {
      packTypes: [{ packTypeId: 1, name: 'Gold', draws: 1000, prizes }],
    }),
  )
}

describe('published and observed', () => {
  it('stand side by side, with the range in plain numbers', async () => {
    observe(mug)
    await renderPart(<ObservedCard />)
    const row = within((await screen.findByText('Mug')).closest('li')!)
    expect(row.getByText('1%')).toBeTruthy()
    expect(row.getByText('1.2%, 12 of 1,000 packs (1 while sold out)')).toBeTruthy()
    expect(row.getByText('0.56% to 2.45%')).toBeTruthy()
    expect(row.getByText('As published')).toBeTruthy()
  })

  it('mark a prize that lies outside', async () => {
    observe({ ...mug, isOutside: true })
    await renderPart(<ObservedCard />)
    expect(await screen.findByText('Outside the range')).toBeTruthy()
    expect(screen.getByText('1 outside')).toBeTruthy()
    expect(screen.getByText(/at most 1 chance in 100/)).toBeTruthy()
  })

  it('do not round a range up to certainty once there was a miss', async () => {
    observe({ ...mug, publishedChance: 1, low: 0.2, high: 1 - 2 ** -52, isOutside: true })
    await renderPart(<ObservedCard />)
    expect(await screen.findByText('20% to below 100%')).toBeTruthy()
  })
})

describe('the alarm for staff', () => {
  it('names the prizes that lie outside', async () => {
    observe({ ...mug, isOutside: true }, { ...mug, prizeId: 2, name: 'Cap' })
    await renderPart(<DrawAlarm />)
    expect(await screen.findByText('Mug in Gold')).toBeTruthy()
    expect(screen.queryByText('Cap in Gold')).toBeNull()
    expect(screen.getByText(/that this alarm ever shows is at most 1 in 100/)).toBeTruthy()
  })

  it('is quiet while every prize is drawn as published', async () => {
    observe(mug)
    await renderPart(<DrawAlarm />)
    await waitFor(() =>
      expect(screen.getByText('OK: the draws fit the published chances.')).toBeTruthy(),
    )
  })
})
