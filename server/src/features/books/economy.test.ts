// The tools of the economy over HTTP, on openings that happened.

import { EconomyFlow, EconomyPreview, PackEconomy, SimulationResult } from '@redpack/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Person, useTestDeps } from '../../../test/deps.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })
const path = '/api/admin/economy'

let admin: Person
let gold: number
beforeEach(async () => {
  admin = await t.person('admin', { role: 'admin' })
  gold = await t.packType('Gold')
})

const get = async (what: string) => {
  const answer = await admin.get(`${path}/${what}`)
  expect(answer.statusCode).toBe(200)
  return answer.json()
}
const post = (what: string, body: object) => admin.send('POST', `${path}/${what}`, body)
const sell = (packTypeId: number, redCoinPrice: number, isActive = true) =>
  admin.send('POST', '/api/admin/store/listings', {
    packTypeId,
    redCoinPrice,
    isActive,
    quantityAvailable: null,
  })
const rowCounts = () =>
  t.rows(
    `SELECT (SELECT count(*)::int FROM pack_openings) AS openings,
       (SELECT count(*)::int FROM prizes) AS prizes,
       (SELECT count(*)::int FROM odds_tables) AS tables,
       (SELECT count(*)::int FROM audit_log) AS audit,
       (SELECT count(*)::int FROM red_coin_transactions) AS ledger`,
  )

describe('GET /api/admin/economy/packs', () => {
  it('answers real chances, the mean payout and warnings of each pack', async () => {
    await t.prize('Hoodie', { packTypeIds: [gold], totalPacks: 4, stock: 2 })
    await t.prize('Coins', { packTypeIds: [gold], totalPacks: 2, redCoinAmount: 100 })
    await sell(gold, 60)
    await sell(gold, 45)
    await sell(gold, 1, false)
    const [pack, ...others] = await get('packs')
    expect(others).toEqual([])
    expect(PackEconomy.parse(pack)).toMatchObject({
      packTypeId: gold,
      packTypeName: 'Gold',
      shareSum: 0.75,
      scaled: false,
      noPrizeChance: 0.25,
      consolationRedCoin: 5,
      expectedRedCoin: 51.25,
      storePrice: 45,
      warnings: [{ code: 'pays_more_than_price' }],
    })
    expect(pack.entries).toMatchObject([
      { name: 'Hoodie', chance: 0.25, stock: 2, isDraft: false },
      { name: 'Coins', chance: 0.5, stock: null },
    ])
  })

  it('says the same chances as the odds that players see', async () => {
    await t.prize('A', { packTypeIds: [gold], winFrequency: 9, totalPacks: 10 })
    await t.prize('B', { packTypeIds: [gold], winFrequency: 7, totalPacks: 10 })
    const [pack] = await get('packs')
    const ana = await t.person('ana')
    const shown = await ana.read(`/api/packs/types/${gold}/odds`)
    const chances = (entries: { chance: number }[]) => entries.map(({ chance }) => chance)
    expect(chances(pack.entries)).toEqual(chances(shown.entries))
    expect(pack.scaled).toBe(shown.scaled)
  })
})

describe('POST /api/admin/economy/preview', () => {
  it('shows a prize that nobody saved beside what is, and saves nothing', async () => {
    const silver = await t.packType('Silver')
    const id = await t.prize('Coins', { packTypeIds: [gold], totalPacks: 2, redCoinAmount: 10 })
    const counts = await rowCounts()
    const answer = await post('preview', {
      prize: {
        prizeId: id,
        name: 'Coins',
        winFrequency: '3',
        totalPacks: '2',
        redCoinAmount: 40,
        packTypeIds: [silver],
      },
    })
    expect(answer.statusCode).toBe(200)
    const { packs } = EconomyPreview.parse(answer.json())
    expect(packs.map(({ after }) => after.packTypeName)).toEqual(['Gold', 'Silver'])
    expect(packs[0]!.before.expectedRedCoin).toBe(7.5)
    expect(packs[0]!.after).toMatchObject({ entries: [], expectedRedCoin: 5 })
    expect(packs[1]!.after).toMatchObject({
      entries: [{ prizeId: id, share: 1, chance: 1, isDraft: true }],
      expectedRedCoin: 40,
    })
    expect(await rowCounts()).toEqual(counts)
  })

  it('shows what a price would mean', async () => {
    await t.prize('Coins', { packTypeIds: [gold], totalPacks: 1, redCoinAmount: 10 })
    const answer = await post('preview', { price: { packTypeId: gold, redCoinPrice: 9 } })
    expect(answer.json().packs).toMatchObject([
      { before: { storePrice: null, warnings: [] }, after: { storePrice: 9 } },
    ])
    expect(answer.json().packs[0].after.warnings).toMatchObject([{ code: 'pays_more_than_price' }])
  })

  it('refuses what is not there and what no form could save', async () => {
    const prize = { winFrequency: 1, totalPacks: 2, packTypeIds: [gold] }
    const cases: [object, number][] = [
      [{ prize: { ...prize, packTypeIds: [999_999] } }, 404],
      [{ prize: { ...prize, prizeId: 999_999 } }, 404],
      [{ price: { packTypeId: 999_999, redCoinPrice: 1 } }, 404],
      [{ prize: { ...prize, totalPacks: 0 } }, 400],
    ]
    for (const [body, status] of cases) {
      expect((await post('preview', body)).statusCode).toBe(status)
    }
    expect((await post('preview', {})).json()).toEqual({ packs: [] })
  })
})

describe('GET /api/admin/economy/stock', () => {
  it('says when limited prizes run out at the rate of the last week', async () => {
    const silver = await t.packType('Silver')
    const sure = await t.prize('Sure', { packTypeIds: [gold], totalPacks: 1, stock: 21 })
    const rare = await t.prize('Rare', { packTypeIds: [silver], totalPacks: 50, stock: 3 })
    await t.prize('Endless', { packTypeIds: [gold], totalPacks: 1_000 })
    const ana = await t.person('ana', { packs: { [gold]: 7 } })
    await ana.open(gold, 7)
    const forecasts = await get('stock')
    expect(forecasts.map(({ prizeId }: { prizeId: number }) => prizeId)).toEqual([sure, rare])
    expect(forecasts[0]).toMatchObject({ name: 'Sure', openingsPerDay: 1 })
    expect(forecasts[0].stock + forecasts[0].winsLastWeek).toBe(21)
    expect(forecasts[0].winsPerDay).toBeCloseTo(1 / 1.001)
    const days = forecasts[0].stock * 1.001
    expect(forecasts[0].daysLeft).toBeCloseTo(days)
    const at = Date.parse(forecasts[0].runsOutAt) - t.clock.now().getTime()
    expect(at / 86_400_000).toBeCloseTo(days, 3)
    expect(forecasts[1]).toMatchObject({
      openingsPerDay: 0,
      openingsLeft: 150,
      daysLeft: null,
      runsOutAt: null,
      packTypes: [{ id: silver, name: 'Silver', chance: 0.02 }],
    })
  })
})

describe('POST /api/admin/economy/simulations', () => {
  it('opens 100,000 packs that nobody has, within what chance allows', async () => {
    await t.prize('Hoodie', { packTypeIds: [gold], totalPacks: 100, stock: 10 })
    await t.prize('Coins', { packTypeIds: [gold], totalPacks: 4, redCoinAmount: 100 })
    await sell(gold, 30)
    const counts = await rowCounts()
    const answer = await post('simulations', { packTypeId: gold })
    expect(answer.statusCode).toBe(200)
    const result = SimulationResult.parse(answer.json())
    const [hoodie, coins] = result.prizes
    expect(result).toMatchObject({ openings: 100_000, storePrice: 30, redCoinSpent: 3_000_000 })
    expect(hoodie).toMatchObject({ wins: 10, expectedWins: 1_000 })
    expect(hoodie?.soldOutAtOpening).toBeGreaterThan(9)
    // Six standard deviations: a fault of the draw, or once in a thousand million runs.
    expect(Math.abs((coins?.wins ?? 0) - 25_000)).toBeLessThan(6 * Math.sqrt(100_000 * 0.1875))
    expect(result.losingPacks).toBe(100_000 - 10 - (coins?.wins ?? 0))
    expect(result.redCoinPaid).toBe((coins?.wins ?? 0) * 100 + result.losingPacks * 5)
    expect(await rowCounts()).toEqual(counts)
  })

  it('takes values that nobody saved, and one run at a time', async () => {
    const prize = { name: 'New', winFrequency: 1, totalPacks: 1, packTypeIds: [gold] }
    const run = () => post('simulations', { packTypeId: gold, openings: 500, prize })
    const [first, second] = await Promise.all([run(), run()])
    expect([first.statusCode, second.statusCode].sort()).toEqual([200, 409])
    const done = first.statusCode === 200 ? first : second
    expect(done.json().prizes).toMatchObject([{ prizeId: null, name: 'New', wins: 500 }])
    expect((await run()).statusCode).toBe(200)
  })

  it.each([[0], [100_001], ['many'], [1.5]])('refuses %j openings', async (openings) => {
    expect((await post('simulations', { packTypeId: gold, openings })).statusCode).toBe(400)
  })

  it('answers 404 for an unknown pack type', async () => {
    expect((await post('simulations', { packTypeId: 999_999 })).statusCode).toBe(404)
  })
})

describe('GET /api/admin/economy/flow', () => {
  it('adds up sources and sinks of each day from the ledger', async () => {
    const ana = await t.person('ana', { coins: 100 })
    const offer = (await sell(gold, 30)).json()
    const order = { storePackListingId: offer.id, quantity: 2 }
    await ana.send('POST', '/api/store/purchase', order)
    await admin.send('POST', '/api/admin/distribute-redcoin', {
      userId: ana.id,
      amount: 7,
      description: 'Thanks',
    })
    const flow = EconomyFlow.parse(await get('flow'))
    expect(flow.days).toHaveLength(30)
    expect(flow.days.at(-1)).toMatchObject({
      day: t.clock.now().toISOString().slice(0, 10),
      sinks: [{ type: 'store_purchase', amount: 60 }],
      removed: 60,
    })
    expect(flow.days.at(-1)?.sources).toContainEqual({ type: 'admin_grant', amount: 7 })
    expect(flow.days[0]).toMatchObject({ sources: [], sinks: [], created: 0, removed: 0 })
    expect(flow.totals.removed).toBe(60)
    expect(flow.inCirculation).toBe(47)
    expect((await get('flow?days=90')).days).toHaveLength(90)
    expect((await get('flow?days=5')).days).toHaveLength(30)
  })
})
