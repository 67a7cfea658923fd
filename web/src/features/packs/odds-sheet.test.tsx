import { fairnessContract, packsContract } from '@redpack/contract'
import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { answers, hangs, mockServer, refuses } from '../../../test/mock-server.ts'
import { renderPart } from '../../../test/render.tsx'
import { OddsButton } from './odds-sheet.tsx'

const server = mockServer(answers(packsContract.types, []))

describe('the odds', () => {
  const odds = {
    packTypeId: 1,
    tableHash: 'a',
    scaled: false,
    entries: [
      {
        prizeId: 1,
        name: 'Hoodie',
        winFrequency: 1,
        totalPacks: 100,
        chance: 0.01,
        soldOut: false,
        redCoinAmount: 0,
        rewardPackTypeId: 7,
        rewardPackQuantity: 2,
        limited: true,
      },
      {
        prizeId: 2,
        name: 'Mug',
        winFrequency: 1,
        totalPacks: 50,
        chance: 0.02,
        soldOut: true,
        redCoinAmount: 0,
        rewardPackTypeId: null,
        rewardPackQuantity: 0,
        limited: true,
      },
    ],
    noPrizeChance: 0.99,
    consolationRedCoin: 5,
  }

  async function openOdds() {
    const app = await renderPart(<OddsButton packTypeId={1} packName="Crown Pack" />)
    await app.user.click(screen.getByRole('button', { name: 'Odds of Crown Pack' }))
    return app
  }

  it('say each chance and what is left before anything is opened', async () => {
    server.use(answers(fairnessContract.odds, odds))
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
    const [hoodie] = odds.entries
    const entries = [{ ...hoodie!, chance: 0.87553 }]
    server.use(answers(fairnessContract.odds, { ...odds, entries }))
    await openOdds()
    expect(await screen.findByText('87.6% of packs win a prize')).toBeDefined()
    expect(screen.getByText('12.4% pay 5 RedCoin instead')).toBeDefined()
    // The row of packs without a prize reads the same.
    expect(screen.getByText('12.4%')).toBeDefined()
  })

  it('say which prizes are limited and which packs come with them', async () => {
    server.use(
      answers(fairnessContract.odds, odds),
      answers(packsContract.types, [
        {
          id: 7,
          name: 'Gift Pack',
          description: '',
          icon: 'gift',
          color: '#fff',
          imageUrl: null,
          imageData: null,
          imageType: null,
          oddsHash: 'd0'.repeat(32),
        },
      ]),
    )
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
    }
    const [, mug] = odds.entries
    const entries = [{ ...mug!, delivery: terms }]
    server.use(answers(fairnessContract.odds, { ...odds, entries }))
    await openOdds()
    expect(
      await screen.findByText(
        'Sent to Germany, Spain · Worth about €45.50 · Address wanted within 14 days',
      ),
    ).toBeTruthy()
  })

  it('say when there is no prize', async () => {
    server.use(answers(fairnessContract.odds, { ...odds, entries: [] }))
    await openOdds()
    expect(await screen.findByText('There is no prize in this pack at the moment.')).toBeDefined()
  })

  it('say when they cannot be loaded, and try again', async () => {
    server.use(refuses(fairnessContract.odds, 500, 'Internal server error'))
    const app = await openOdds()
    await screen.findByText('The odds could not be loaded')
    server.use(answers(fairnessContract.odds, odds))
    await app.user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('1 in 100 packs')).toBeDefined()
  })

  it('say after three seconds that they are slow', async () => {
    server.use(hangs(fairnessContract.odds))
    await openOdds()
    await screen.findByText('Loading odds')
    const slow = 'Still loading the odds. The server takes longer than usual.'
    expect(screen.queryByText(slow)).toBeNull()
    expect(await screen.findByText(slow, {}, { timeout: 4000 })).toBeDefined()
  })

  it('say that chances were scaled', async () => {
    server.use(answers(fairnessContract.odds, { ...odds, scaled: true }))
    await openOdds()
    expect(await screen.findByText(/so they were scaled down/)).toBeDefined()
  })
})
