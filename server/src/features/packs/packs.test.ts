// Packs over HTTP: what a viewer asks, what comes back, and what is refused without a trace.

import { OpenPacksResponse, PackType, StatsResponse } from '@redpack/contract'
import { describe, expect, it } from 'vitest'
import { told, useTestDeps } from '../../../test/deps.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })
const always = { winFrequency: 1, totalPacks: 1 }
const open = '/api/packs/open'

async function scene(quantity = 5) {
  const gold = await t.packType('Gold', { icon: 'crown' })
  return { gold, ana: await t.person('ana', { coins: 100, packs: { [gold]: quantity } }) }
}

describe('POST /api/packs/open', () => {
  it('answers results and the balance after them', async () => {
    const { gold, ana } = await scene()
    const heard: unknown[] = []
    t.deps.events.subscribe((event) => heard.push(event))
    const answer = await ana.send('POST', open, { packTypeId: gold, quantity: 2 })
    expect(answer.statusCode).toBe(200)
    expect(heard).toEqual([
      { type: 'user_changed', userId: ana.id },
      { type: 'holdings_changed', userId: ana.id },
      { type: 'leaderboard_changed' },
    ])
    expect(OpenPacksResponse.parse(answer.json())).toEqual({
      proof: expect.objectContaining({ index: 0, entropyFrom: 'server' }),
      results: [
        { won: false, prizeId: null, prize: null, claimId: null, redCoinEarned: 5 },
        { won: false, prizeId: null, prize: null, claimId: null, redCoinEarned: 5 },
      ],
      updatedBalance: 110,
    })
    expect((await ana.read('/api/auth/me')).redCoinBalance).toBe(110)
    expect(await t.rows('SELECT quantity FROM user_packs')).toEqual([{ quantity: 3 }])
    const paid =
      'SELECT amount, type, balance_after FROM red_coin_transactions ORDER BY id DESC LIMIT 1'
    expect(await t.rows(paid)).toEqual([
      { amount: 10, type: 'pack_consolation', balance_after: 110 },
    ])
  })

  it('gives one result per opened pack, up to 50', async () => {
    const { gold, ana } = await scene(51)
    for (const quantity of [1, 50]) {
      const order = { packTypeId: String(gold), quantity: String(quantity) }
      const answer = await ana.send('POST', open, order)
      expect(answer.json().results).toHaveLength(quantity)
    }
  })

  it('makes a pending claim with a Claim ID and instructions of a physical win', async () => {
    const { gold, ana } = await scene()
    await t.prize('Hoodie', {
      packTypeIds: [gold],
      ...always,
      claimInstructions: 'Tell us your size',
    })
    const [result] = (await ana.send('POST', open, { packTypeId: gold, quantity: 1 })).json()
      .results
    expect(result).toMatchObject({
      won: true,
      redCoinEarned: 0,
      prize: {
        name: 'Hoodie',
        description: 'About Hoodie',
        imageData: null,
        imageType: null,
        claimInstructions: 'Tell us your size',
      },
    })
    expect(result.claimId).toMatch(/^PR-[2-9A-HJ-NP-Z]{8}$/)
    const list = await ana.get('/api/user/prize-claims/paginated?page=1&limit=25&filter=physical')
    expect(list.json().claims).toMatchObject([
      {
        claimId: result.claimId,
        status: 'pending',
        prize: { name: 'Hoodie', redCoinAmount: 0, claimInstructions: 'Tell us your size' },
      },
    ])
  })

  it('refuses more packs than are held with the sentence of the rule', async () => {
    const { gold, ana } = await scene(2)
    expect(await told(ana.send('POST', open, { packTypeId: gold, quantity: 3 }))).toBe(
      '400 Insufficient packs',
    )
    expect(await t.rows('SELECT quantity FROM user_packs')).toEqual([{ quantity: 2 }])
    expect(await t.rows('SELECT id FROM pack_openings')).toEqual([])
  })

  it.each(
    [0, -1, 51, 1.5, 'x', [5], true, '0x10', ' 5 ', null, '', 1e9, undefined].map((it) => [it]),
  )('refuses the quantity %j and changes nothing', async (quantity) => {
    const { gold, ana } = await scene()
    const said = (packTypeId?: number) => told(ana.send('POST', open, { packTypeId, quantity }))
    expect(await said(gold)).toBe('400 Quantity must be between 1 and 50')
    expect(await said()).toBe('400 Please select a pack type')
    expect(await t.rows('SELECT quantity FROM user_packs')).toEqual([{ quantity: 5 }])
    expect(await t.rows('SELECT id FROM pack_openings')).toEqual([])
  })

  it('answers 404 for an unknown pack type and 401 without a session', async () => {
    const { ana } = await scene()
    const unknown = ana.send('POST', open, { packTypeId: 999_999, quantity: 1 })
    expect(await told(unknown)).toBe('404 Pack type not found')
    const visitor = await t.visitor.send('POST', open, { packTypeId: 1, quantity: 1 })
    expect(visitor.statusCode).toBe(401)
  })

  it('uses the consolation that is set, 0 included', async () => {
    const { gold, ana } = await scene()
    await t.rows(`INSERT INTO app_settings (key, value) VALUES ('consolationRedCoin', '0')`)
    const answer = await ana.send('POST', open, { packTypeId: gold, quantity: 1 })
    expect(answer.json()).toMatchObject({ results: [{ redCoinEarned: 0 }], updatedBalance: 100 })
    expect(
      await t.rows(`SELECT id FROM red_coin_transactions WHERE type = 'pack_consolation'`),
    ).toEqual([])
    await t.expectTrueBooks()
  })
})

describe('what a viewer reads of packs', () => {
  it('holds a quantity per pack type', async () => {
    const { gold, ana } = await scene()
    const answer = await ana.get('/api/user/packs')
    expect(answer.json()).toMatchObject([
      { packTypeId: gold, quantity: 5, packType: { name: 'Gold' } },
    ])
    expect(await ana.read('/api/user/inventory')).toEqual(answer.json())
  })

  it('belongs to one pack type, and so does what was opened', async () => {
    const { gold, ana } = await scene()
    const iron = await t.packType('Iron')
    await t.rows('INSERT INTO user_packs (user_id, pack_type_id, quantity) VALUES ($1, $2, 4)', [
      ...[ana.id, iron],
    ])
    await ana.send('POST', open, { packTypeId: iron, quantity: 3 })
    const held = await ana.read<{ packTypeId: number; quantity: number }[]>('/api/user/packs')
    expect(Object.fromEntries(held.map((row) => [row.packTypeId, row.quantity]))).toEqual({
      [gold]: 5,
      [iron]: 1,
    })
    const openings = await ana.read('/api/user/openings')
    expect(openings.map((one: { packType: { id: number } }) => one.packType.id)).toEqual(
      Array(3).fill(iron),
    )
    expect(await t.column('SELECT DISTINCT pack_type_id FROM pack_openings')).toEqual([iron])
    const withoutType = t.rows('INSERT INTO user_packs (user_id, quantity) VALUES ($1, 1)', [
      ana.id,
    ])
    await expect(withoutType).rejects.toMatchObject({ code: '23502' })
  })

  it('notes when it changed, whatever changed it', async () => {
    const { gold, ana } = await scene()
    const boss = await t.person('boss', { role: 'admin' })
    const noted = async () =>
      (await t.value<Date>('SELECT updated_at AS at FROM user_packs')).getTime()
    const acts = [
      () => ana.send('POST', open, { packTypeId: gold, quantity: 1 }),
      () =>
        boss.send('POST', '/api/admin/distribute-packs', {
          ...{ userId: ana.id, packTypeId: gold, quantity: 2, description: 'Quiz' },
        }),
    ]
    for (const act of acts) {
      t.clock.advance(60)
      const from = t.clock.now().getTime()
      expect((await act()).statusCode).toBe(200)
      expect(await noted()).toBeGreaterThanOrEqual(from)
      expect(await noted()).toBeLessThanOrEqual(t.clock.now().getTime())
    }
  })

  it('names the opening that paid each entry of the ledger', async () => {
    const { gold, ana } = await scene()
    await ana.send('POST', open, { packTypeId: gold, quantity: 1 })
    await t.prize('Coins', { packTypeIds: [gold], ...always, redCoinAmount: 250 })
    await ana.send('POST', open, { packTypeId: gold, quantity: 2 })
    const [, ...won] = await t.column<number>('SELECT id FROM pack_openings ORDER BY id')
    const paid = `SELECT pack_opening_id AS id, description FROM red_coin_transactions x
      WHERE type <> 'opening_balance' ORDER BY x.id`
    expect(await t.rows(paid)).toEqual([
      { id: null, description: 'Pack without a prize' },
      ...won.map((id) => ({ id, description: 'Won Coins' })),
    ])
  })

  it('answers totals', async () => {
    const { gold } = await scene()
    const iron = await t.packType('Iron')
    const ben = await t.person('ben', { packs: { [gold]: 5, [iron]: 4 } })
    await ben.open(gold, 2)
    const answer = await ben.get('/api/user/stats')
    expect(StatsResponse.parse(answer.json())).toEqual({ totalPacks: 7, packsOpened: 2 })
  })

  it('lists openings newest first with prize and pack type', async () => {
    const { gold, ana } = await scene()
    await ana.send('POST', open, { packTypeId: gold, quantity: 1 })
    const prize = await t.prize('Mug', { packTypeIds: [gold], ...always })
    const createdAt = t.clock.now().toISOString()
    await ana.send('POST', open, { packTypeId: gold, quantity: 1 })
    t.clock.advance(60)
    expect(await ana.read('/api/user/openings')).toMatchObject([
      {
        ...{ id: expect.any(Number), createdAt },
        ...{ prize: { id: prize, name: 'Mug' }, packType: { id: gold, name: 'Gold' } },
      },
      { prize: null, redCoinEarned: 5, packType: { id: gold, name: 'Gold' } },
    ])
  })

  it('lists the newest 100 of 101 openings', async () => {
    const { gold, ana } = await scene(101)
    for (const quantity of [50, 50, 1]) await ana.open(gold, quantity)
    const ids = await t.column('SELECT id FROM pack_openings ORDER BY id DESC')
    expect(ids).toHaveLength(101)
    const openings = await ana.read<{ id: number }[]>('/api/user/openings')
    expect(openings.map(({ id }) => id)).toEqual(ids.slice(0, 100))
  })

  it('lists the pack types under both paths', async () => {
    const { gold, ana } = await scene()
    await t.rows(`UPDATE pack_types SET description = 'Shiny', color = '#123456'`)
    const answer = await ana.get('/api/packs/types')
    expect(PackType.parse(answer.json()[0])).toMatchObject({
      id: gold,
      name: 'Gold',
      description: 'Shiny',
      icon: 'crown',
      color: '#123456',
    })
    expect(await ana.read('/api/pack-types')).toEqual(answer.json())
  })
})
