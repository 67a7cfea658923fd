// Listings of staff over HTTP: what a change does to the store, to stock and to the log.

import { AdminListing } from '@redpack/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Person, told, useTestDeps } from '../../../test/deps.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })
const path = '/api/admin/store/listings'

let admin: Person
let gold: number
beforeEach(async () => {
  admin = await t.person('admin', { role: 'admin' })
  gold = await t.packType('Gold')
})

const create = (more: object = {}) =>
  admin.send('POST', path, { packTypeId: gold, redCoinPrice: 30, quantityAvailable: 4, ...more })
const created = async (more: object = {}): Promise<AdminListing> => (await create(more)).json()
const change = (id: number, body: object) => admin.send('PUT', `${path}/${id}`, body)
const list = async () => (await admin.read(path)) as AdminListing[]
const store = async () => (await admin.read('/api/store/listings')) as { id: number }[]
const deltas = async (id: number) => {
  const rows = await t.rows<{ delta: number }>(
    `SELECT delta FROM stock_events WHERE kind = 'listing' AND ref_id = $1 ORDER BY id`,
    [id],
  )
  return rows.map(({ delta }) => delta)
}

describe('GET /api/admin/store/listings', () => {
  it('answers an array with pack types, inactive ones too', async () => {
    const late = await created({ sortOrder: 5 })
    const off = await created({ isActive: false })
    const listings = await list()
    expect(listings).toEqual([off, late])
    expect(AdminListing.parse(listings[0]).packType).toMatchObject({ id: gold, name: 'Gold' })
  })
})

describe('POST /api/admin/store/listings', () => {
  it('takes the listed fields and answers the listing', async () => {
    const body = {
      packTypeId: String(gold),
      redCoinPrice: '250',
      quantityAvailable: '9',
      isUnlimited: false,
      isActive: false,
      sortOrder: '3',
    }
    const answer = await create(body)
    expect(answer.statusCode).toBe(200)
    expect(AdminListing.parse(answer.json())).toMatchObject({
      packTypeId: gold,
      redCoinPrice: 250,
      quantityAvailable: 9,
      isUnlimited: false,
      isActive: false,
      sortOrder: 3,
    })
    expect(await deltas(answer.json().id)).toEqual([9])
    const [entry] = await t.rows('SELECT action, target_id, before, after FROM audit_log')
    expect(entry).toMatchObject({
      action: 'listing.create',
      target_id: String(answer.json().id),
      before: null,
      after: { redCoinPrice: 250, quantityAvailable: 9, packTypeName: 'Gold' },
    })
    const endless = (await create({ ...body, isUnlimited: true })).json()
    expect(endless).toMatchObject({ isUnlimited: true, quantityAvailable: 9 })
    await t.expectTrueBooks()
  })

  it('takes no quantity as unlimited', async () => {
    const listing = await created({ quantityAvailable: null })
    expect(listing).toMatchObject({ isUnlimited: true, quantityAvailable: 0, sortOrder: 0 })
    expect(await deltas(listing.id)).toEqual([])
    const flagged = await created({ quantityAvailable: undefined, isUnlimited: true })
    expect(flagged).toMatchObject({ isUnlimited: true, quantityAvailable: 0 })
  })

  it('takes the least of each number', async () => {
    const least = { redCoinPrice: 1, quantityAvailable: 0, sortOrder: 0 }
    expect(await created(least)).toMatchObject({ ...least, isUnlimited: false })
  })

  it.each([
    [{ packTypeId: 0 }, 400, 'Pack type is required'],
    [{ redCoinPrice: 0 }, 400, 'Price must be at least 1'],
    [{ quantityAvailable: -1 }, 400, 'Quantity must be 0 or more'],
    [{ sortOrder: -1 }, 400, 'Sort order must be 0 or higher'],
    [
      { isUnlimited: false, quantityAvailable: null },
      400,
      'Quantity is required when not unlimited',
    ],
    [{ quantityAvailable: undefined }, 400, 'Quantity is required when not unlimited'],
    [{ packTypeId: 999_999 }, 404, 'Pack type not found'],
  ])('refuses %j', async (more, status, message) => {
    expect(await told(create(more))).toBe(`${status} ${message}`)
    expect(await list()).toEqual([])
  })
})

describe('PUT /api/admin/store/listings/{id}', () => {
  it('takes the same fields', async () => {
    const silver = await t.packType('Silver')
    const { id } = await created()
    const body = {
      packTypeId: silver,
      redCoinPrice: 5,
      quantityAvailable: 1,
      isUnlimited: false,
      isActive: false,
      sortOrder: 8,
      customImage: '/art/pack-crown.svg',
    }
    const answer = await change(id, body)
    expect(answer.json()).toMatchObject({ id, ...body, packType: { name: 'Silver' } })
    expect(await list()).toEqual([answer.json()])
    expect(await deltas(id)).toEqual([4, -3])
    const [entry] = await t.rows('SELECT before, after FROM audit_log ORDER BY id DESC LIMIT 1')
    expect(entry).toMatchObject({ before: { redCoinPrice: 30 }, after: { redCoinPrice: 5 } })
    await t.expectTrueBooks()
  })

  it('takes only isActive, which decides whether the store shows it', async () => {
    const before = await created({ customImage: '/art/pack-crown.svg' })
    expect(await store()).toMatchObject([{ id: before.id }])
    const off = await change(before.id, { isActive: false })
    expect(off.json()).toEqual({
      ...before,
      isActive: false,
      updatedAt: off.json().updatedAt,
    })
    expect(await store()).toEqual([])
    await change(before.id, { isActive: true })
    expect(await store()).toMatchObject([{ id: before.id }])
  })

  it('goes on sale when its pack type is there', async () => {
    const { id } = await created({ isActive: false })
    await admin.send('DELETE', `/api/admin/pack-types/${gold}`)
    expect(await told(change(id, { isActive: true }))).toBe(
      '409 Restore the pack type of this listing first',
    )
    expect((await change(id, { redCoinPrice: 7 })).statusCode).toBe(200)
    await admin.send('POST', `/api/admin/pack-types/${gold}/restore`)
    expect((await change(id, { isActive: true })).statusCode).toBe(200)
    expect(await store()).toMatchObject([{ id }])
  })

  it('puts a lower sort order first in the store', async () => {
    const first = await created({ sortOrder: 1 })
    const second = await created({ sortOrder: 2 })
    expect((await store()).map(({ id }) => id)).toEqual([first.id, second.id])
    await change(second.id, { sortOrder: 0 })
    expect((await store()).map(({ id }) => id)).toEqual([second.id, first.id])
  })

  it('keeps the number while a listing is unlimited, and its history true', async () => {
    const { id } = await created()
    const ana = await t.person('ana', { coins: 1_000 })
    const buy = (quantity: number) =>
      ana.send('POST', '/api/store/purchase', { storePackListingId: id, quantity })
    await buy(1)
    expect((await change(id, { quantityAvailable: null })).json()).toMatchObject({
      isUnlimited: true,
      quantityAvailable: 3,
    })
    expect((await buy(9)).statusCode).toBe(200)
    expect((await change(id, { isUnlimited: false })).json()).toMatchObject({
      isUnlimited: false,
      quantityAvailable: 3,
    })
    await t.expectTrueBooks()
    expect((await buy(4)).statusCode).toBe(400)
    await change(id, { quantityAvailable: 10 })
    expect((await buy(4)).statusCode).toBe(200)
    await t.expectTrueBooks()
  })

  it('refuses an unknown listing or pack type, and no quantity for a limited one', async () => {
    const { id } = await created()
    expect((await change(999_999, { isActive: true })).json().message).toBe('Listing not found')
    expect((await change(id, { packTypeId: 999_999 })).json().message).toBe('Pack type not found')
    const answer = await change(id, { isUnlimited: false, quantityAvailable: null })
    expect(answer.json().message).toBe('Quantity is required when not unlimited')
  })
})

describe('DELETE /api/admin/store/listings/{id}', () => {
  it('hides the listing everywhere; purchases stay', async () => {
    const { id } = await created()
    const ana = await t.person('ana', { coins: 100 })
    await ana.send('POST', '/api/store/purchase', { storePackListingId: id, quantity: 1 })
    const answer = await admin.send('DELETE', `${path}/${id}`)
    expect(answer.json()).toEqual({ success: true, message: 'Listing deleted successfully' })
    expect([await list(), await store()]).toEqual([[], []])
    const late = await ana.send('POST', '/api/store/purchase', {
      storePackListingId: id,
      quantity: 1,
    })
    expect(late.statusCode).toBe(404)
    expect(await t.rows('SELECT quantity FROM store_purchases')).toEqual([{ quantity: 1 }])
    expect((await admin.send('DELETE', `${path}/${id}`)).statusCode).toBe(404)
    await t.expectTrueBooks()
  })

  it('is undone by restoring, when its pack type is there', async () => {
    const before = await created()
    const heard: unknown[] = []
    t.deps.events.subscribe((event) => heard.push(event))
    await admin.send('DELETE', `${path}/${before.id}`)
    await admin.send('DELETE', `/api/admin/pack-types/${gold}`)
    expect(await told(admin.send('POST', `${path}/${before.id}/restore`))).toBe(
      '409 Restore the pack type of this listing first',
    )
    await admin.send('POST', `/api/admin/pack-types/${gold}/restore`)
    const answer = await admin.send('POST', `${path}/${before.id}/restore`)
    expect(answer.json()).toEqual({ ...before, updatedAt: answer.json().updatedAt })
    expect(await store()).toMatchObject([{ id: before.id }])
    expect((await admin.send('POST', `${path}/${before.id}/restore`)).statusCode).toBe(409)
    const typeAndStore = ['pack_types', 'listings']
    const changed = ['listings', ...typeAndStore, ...typeAndStore, 'listings']
    expect(heard).toEqual(changed.map((what) => ({ type: 'catalogue_changed', what })))
    const noted = `SELECT action, after -> 'isArchived' AS gone FROM audit_log
      WHERE target_type = 'listing' ORDER BY id OFFSET 1`
    expect(await t.rows(noted)).toEqual([
      { action: 'listing.delete', gone: true },
      { action: 'listing.restore', gone: false },
    ])
  })
})

describe('PUT /api/admin/store/order', () => {
  const sort = (orders: unknown) => admin.send('PUT', '/api/admin/store/order', { orders })
  const shown = async () =>
    ((await list()) as { id: number; sortOrder: number }[]).map(({ id, sortOrder }) => [
      id,
      sortOrder,
    ])

  it('sets several places in one call, and leaves everything else', async () => {
    const one = await created({ quantityAvailable: 4 })
    const two = await created({ sortOrder: 1 })
    const answer = await sort([
      { id: two.id, sortOrder: 0 },
      { id: one.id, sortOrder: 1 },
    ])
    expect(answer.json()).toEqual({ success: true, message: 'Listings sorted successfully' })
    expect((await shown()).toSorted()).toEqual([
      [one.id, 1],
      [two.id, 0],
    ])
    expect(await deltas(one.id)).toEqual([4])
    const entries = await t.rows('SELECT * FROM audit_log ORDER BY id OFFSET 2')
    const action = 'listing.update'
    expect(entries).toMatchObject([
      { action, target_id: String(one.id), after: { sortOrder: 1 } },
      { action, target_id: String(two.id), after: { sortOrder: 0 } },
    ])
    await t.expectTrueBooks()
  })

  it('moves none when one of them is deleted or named wrongly', async () => {
    const one = await created()
    const gone = await created({ sortOrder: 1 })
    await admin.send('DELETE', `${path}/${gone.id}`)
    const place = { id: one.id, sortOrder: 7 }
    for (const [orders, status, message] of [
      [[place, { id: gone.id, sortOrder: 8 }], 404, 'Listing not found'],
      [[place, place], 400, 'Each listing can be there once'],
      [[{ ...place, sortOrder: -1 }], 400, 'Sort order must be 0 or higher'],
      [[], 400, 'Say which listings to move'],
    ] as const) {
      expect(await told(sort(orders))).toBe(`${status} ${message}`)
    }
    expect(await shown()).toEqual([[one.id, 0]])
  })
})
