// The store over HTTP: buying, and every way in which a purchase is refused without a trace.

import { Listing } from '@redpack/contract'
import { describe, expect, it } from 'vitest'
import { coded, told, useTestDeps } from '../../../test/deps.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })

const purchase = '/api/store/purchase'

describe('POST /api/store/purchase', () => {
  it('spends RedCoin, gives packs and takes stock, to the last of both', async () => {
    const gold = await t.packType('Gold')
    const offer = await t.listing(gold, { price: 30, stock: 3 })
    const ana = await t.person('ana', { coins: 90 })
    const heard: unknown[] = []
    t.deps.events.subscribe((event) => heard.push(event))
    const answer = await ana.send('POST', purchase, { storePackListingId: offer, quantity: 3 })
    expect(answer.statusCode).toBe(200)
    expect(heard).toEqual([
      { type: 'user_changed', userId: ana.id },
      { type: 'holdings_changed', userId: ana.id },
      { type: 'catalogue_changed', what: 'listings' },
      { type: 'leaderboard_changed' },
    ])
    expect(answer.json()).toMatchObject({ success: true, updatedBalance: 0 })
    expect((await ana.read('/api/auth/me')).redCoinBalance).toBe(0)
    expect(await ana.read('/api/user/packs')).toMatchObject([{ packTypeId: gold, quantity: 3 }])
    expect(await ana.read('/api/store/listings')).toMatchObject([{ quantityAvailable: 0 }])
    expect(await t.rows('SELECT quantity, unit_price, red_coin_cost FROM store_purchases')).toEqual(
      [{ quantity: 3, unit_price: 30, red_coin_cost: 90 }],
    )
    await t.expectTrueBooks()
  })

  it('sells any number of what never runs out', async () => {
    const offer = await t.listing(await t.packType('Gold'), { price: 1 })
    const ana = await t.person('ana', { coins: 5_000 })
    const order = { storePackListingId: offer, quantity: 5_000 }
    expect((await ana.send('POST', purchase, order)).json()).toMatchObject({ updatedBalance: 0 })
    expect(await ana.read('/api/store/listings')).toMatchObject([{ isUnlimited: true }])
  })

  it.each([0, -2, 'x', 1.5, '', undefined])('refuses the quantity %j', async (quantity) => {
    const offer = await t.listing(await t.packType('Gold'))
    const ana = await t.person('ana', { coins: 100 })
    expect(await told(ana.send('POST', purchase, { storePackListingId: offer, quantity }))).toBe(
      '400 Please enter a quantity greater than 0.',
    )
    expect(await t.rows('SELECT id FROM store_purchases')).toEqual([])
  })

  it('refuses what the balance does not cover and says both amounts', async () => {
    const offer = await t.listing(await t.packType('Gold'), { price: 1_500 })
    const ana = await t.person('ana', { coins: 2_999 })
    expect(await told(ana.send('POST', purchase, { storePackListingId: offer, quantity: 2 }))).toBe(
      '400 You need 3,000 RedCoin but only have 2,999.',
    )
    for (const [quantity, message] of [
      [1_000_000, 'You need 1,500,000,000 RedCoin but only have 2,999.'],
      [2 ** 31, 'Quantity is too large'],
    ]) {
      const order = { storePackListingId: offer, quantity }
      expect(await told(ana.send('POST', purchase, order))).toBe(`400 ${message}`)
    }
    expect((await ana.read('/api/auth/me')).redCoinBalance).toBe(2_999)
    expect(await t.rows('SELECT id FROM user_packs')).toEqual([])
  })

  it('refuses more than a limited listing has and says how many are left', async () => {
    const offer = await t.listing(await t.packType('Gold'), { price: 1, stock: 2 })
    const ana = await t.person('ana', { coins: 100 })
    expect(await told(ana.send('POST', purchase, { storePackListingId: offer, quantity: 3 }))).toBe(
      '400 Only 2 packs available.',
    )
    expect((await ana.read('/api/auth/me')).redCoinBalance).toBe(100)
  })

  it('buys at the price that was seen: at another one nothing is spent', async () => {
    const storePackListingId = await t.listing(await t.packType('Gold'), { price: 1_200 })
    const ana = await t.person('ana', { coins: 5_000 })
    const order = { storePackListingId, quantity: 1 }
    const key = { 'idempotency-key': 'one' }
    for (const expectedPrice of [1_000, 1_300]) {
      expect(await told(ana.send('POST', purchase, { ...order, expectedPrice }, key))).toBe(
        '409 The price is 1,200 RedCoin now. Nothing was bought.',
      )
    }
    const seen = { ...order, expectedPrice: 1_200 }
    expect((await ana.send('POST', purchase, seen, key)).json().updatedBalance).toBe(3_800)
    expect(await coded(ana.send('POST', purchase, order, key))).toBe('422 idempotency_mismatch')
    expect((await ana.send('POST', purchase, order)).json().updatedBalance).toBe(2_600)
  })

  it('checks the balance before the stock and counts beyond what numbers carry', async () => {
    const offer = await t.listing(await t.packType('Gold'), {
      price: 9_007_199_254_740_991,
      stock: 1,
    })
    const ana = await t.person('ana', { coins: 5 })
    const answer = await ana.send('POST', purchase, { storePackListingId: offer, quantity: 2 })
    expect(answer.json().message).toBe('You need 18,014,398,509,481,982 RedCoin but only have 5.')
  })

  it('answers 404 for inactive and unknown listings', async () => {
    const offer = await t.listing(await t.packType('Gold'), { isActive: false })
    const ana = await t.person('ana', { coins: 100 })
    for (const storePackListingId of [offer, 999_999]) {
      const order = { storePackListingId, quantity: 1 }
      expect(await told(ana.send('POST', purchase, order))).toBe('404 Listing not found')
    }
  })
})

describe('GET /api/store/listings', () => {
  it('answers active listings with their pack type, by sort order then id', async () => {
    const gold = await t.packType('Gold')
    const late = await t.listing(gold, { sortOrder: 5 })
    const first = await t.listing(gold, { sortOrder: 0, stock: 0 })
    const second = await t.listing(gold, { sortOrder: 0 })
    await t.listing(gold, { isActive: false })
    const ana = await t.person('ana')
    const answer = await ana.get('/api/store/listings')
    expect(answer.json().map(({ id }: { id: number }) => id)).toEqual([first, second, late])
    expect(Listing.parse(answer.json()[0])).toMatchObject({
      redCoinPrice: 50,
      isUnlimited: false,
      quantityAvailable: 0,
      packType: { name: 'Gold' },
    })
  })

  it('shows each listing with its own values and those of its pack type', async () => {
    const picture = Buffer.from('a picture').toString('base64')
    const iron = await t.packType('Iron', { color: '#123456' })
    await t.rows(
      `UPDATE pack_types SET description = 'Cold', image_url = '/a.svg', image_hash = $1`,
      [await t.image(picture)],
    )
    const packType = {
      ...{ id: iron, name: 'Iron', description: 'Cold', color: '#123456' },
      ...{ imageUrl: '/a.svg', imageData: picture, imageType: 'image/png' },
    }
    const limited = { redCoinPrice: 5, isUnlimited: false, quantityAvailable: 9, packType }
    const unlimited = { redCoinPrice: 7, isUnlimited: true, quantityAvailable: 0, packType }
    const first = await t.listing(iron, { price: 5, stock: 9, sortOrder: 1 })
    const second = await t.listing(iron, { price: 7, sortOrder: 2 })
    expect(await (await t.person('ana')).read('/api/store/listings')).toMatchObject([
      { id: first, ...limited },
      { id: second, ...unlimited },
    ])
  })
})
