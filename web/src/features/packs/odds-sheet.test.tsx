import { fairnessContract, type OddsResponse, packsContract } from '@redpack/contract'
import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { answers, hangs, mockServer, refuses } from '../../../test/mock-server.ts'
import { renderPart } from '../../../test/render.tsx'
import { OddsButton, OddsDialog } from './odds-sheet.tsx'
import { sampleOddsEntry, sampleType } from './opening-samples.fixture.ts'

const server = mockServer(answers(packsContract.types, []))

describe('the odds', () => {
  const hoodie = sampleOddsEntry({ rewardPackTypeId: 7, rewardPackQuantity: 2, limited: true })
  const odd = { prizeId: 2, name: 'Mug', totalPacks: 50, chance: 0.02, soldOut: true }
  const mug = sampleOddsEntry({ ...odd, limited: true })
  const odds: OddsResponse = {
    packTypeId: 1,
    tableHash: 'a',
    scaled: false,
    entries: [hoodie, mug],
    noPrizeChance: 0.99,
    consolationRedCoin: 5,
  }

  async function openOdds(change: Partial<OddsResponse> = {}) {
    server.use(answers(fairnessContract.odds, { ...odds, ...change }))
    return openSheet()
  }

  async function openSheet() {
    const app = await renderPart(
      <>
        <OddsButton packTypeId={1} packName="Crown Pack" />
        <OddsDialog packs={[{ id: 1, name: 'Crown Pack' }]} />
      </>,
    )
    await app.user.click(screen.getByRole('button', { name: 'Odds of Crown Pack' }))
    return app
  }

  it('say each chance and what is left before anything is opened', async () => {
    await openOdds()
    const sheet = within(await screen.findByRole('dialog', { name: 'Odds of Crown Pack' }))
    expect(await sheet.findByText('1 in 100 packs')).toBeDefined()
    expect(sheet.getByText('Sold out')).toBeDefined()
    expect(sheet.getByText('99 of 100 packs')).toBeDefined()
    expect(sheet.getAllByText(/%$/).map(({ textContent }) => textContent)).toEqual([
      '1%',
      '0%',
      '99%',
    ])
  })

  it('end with what share wins and what share is paid, 100% as they stand', async () => {
    await openOdds({ entries: [{ ...hoodie, chance: 0.87553 }] })
    expect(await screen.findByText('87.6% of packs win a prize')).toBeDefined()
    expect(screen.getByText('12.4% pay 5 RedCoin instead')).toBeDefined()
    // The row of packs without a prize reads the same.
    expect(screen.getByText('12.4%')).toBeDefined()
  })

  it('say which prizes are limited and which packs come with them', async () => {
    server.use(answers(packsContract.types, [sampleType({ id: 7, name: 'Gift Pack' })]))
    await openOdds()
    const sheet = within(await screen.findByRole('dialog', { name: 'Odds of Crown Pack' }))
    expect(await sheet.findByText('2 packs of Gift Pack')).toBeDefined()
    expect(sheet.getAllByText('Limited')).toHaveLength(1)
    expect(sheet.getAllByText('Sold out')).toHaveLength(1)
  })

  it('say until when and where to a prize is sent, and what it is worth', async () => {
    const terms = {
      deadlineDays: 14,
      countries: ['ES', 'DE'],
      estimatedValue: { amount: 45.5, currency: 'EUR' },
      questions: ['Size', 'Name on it'],
    }
    await openOdds({ entries: [{ ...mug, delivery: terms }] })
    expect(
      await screen.findByText(
        'Only sent to Germany, Spain · Worth about €45.50 · Address needed within 14 days · Asked with the address: Size, Name on it',
      ),
    ).toBeTruthy()
  })

  it('say when they cannot be loaded, and try again', async () => {
    server.use(refuses(fairnessContract.odds, 500, 'Internal server error'))
    const app = await openSheet()
    await screen.findByText('The odds could not be loaded')
    server.use(answers(fairnessContract.odds, odds))
    await app.user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('1 in 100 packs')).toBeDefined()
  })

  it('say after three seconds that they are slow', async () => {
    server.use(hangs(fairnessContract.odds))
    await openSheet()
    await screen.findByText('Loading odds')
    const slow = 'Still loading the odds. This is taking longer than usual.'
    expect(screen.queryByText(slow)).toBeNull()
    expect(await screen.findByText(slow, {}, { timeout: 4000 })).toBeDefined()
  })

  it('say that chances were scaled', async () => {
    await openOdds({ scaled: true })
    expect(await screen.findByText(/so they were scaled down/)).toBeDefined()
  })
})
