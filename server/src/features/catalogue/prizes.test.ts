// Prizes of staff over HTTP: what a change does to answers, odds, stock and the log.

import { AdminPrize } from '@redpack/contract'
import sharp from 'sharp'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Person, told, useTestDeps } from '../../../test/deps.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })
const path = '/api/admin/prizes'

let admin: Person
let gold: number
let silver: number

beforeEach(async () => {
  admin = await t.person('admin', { role: 'admin' })
  gold = await t.packType('Gold')
  silver = await t.packType('Silver')
})

const picture = () =>
  sharp({ create: { width: 20, height: 24, channels: 3, background: '#ff0000' } })
    .png()
    .toBuffer()

const create = (more: object = {}) =>
  admin.send('POST', path, { name: 'Hoodie', packTypeIds: [gold], ...more })
const created = async (more: object = {}): Promise<AdminPrize> => (await create(more)).json()
const list = async () => (await admin.read(path)) as AdminPrize[]
const odds = async (packTypeId: number) => {
  const player = await t.person(`player-${t.deps.random.uuid()}`)
  return await player.read(`/api/packs/types/${packTypeId}/odds`)
}
const stockHistory = (id: number) =>
  t.rows<{ delta: number; quantity_after: number | null; source_type: string }>(
    `SELECT delta, quantity_after, source_type FROM stock_events
     WHERE kind = 'prize' AND ref_id = $1 ORDER BY id`,
    [id],
  )
const lastAudit = async () => {
  const rows = await t.rows<Record<string, unknown>>(
    `SELECT action, actor_id, target_type, target_id, before, after FROM audit_log
     ORDER BY id DESC LIMIT 1`,
  )
  return rows[0]!
}

describe('GET /api/admin/prizes', () => {
  it('answers a bare list with pack types, by id', async () => {
    const hoodie = await created({ packTypeIds: [silver, gold] })
    const cap = await created({ name: 'Cap', isActive: false })
    const prizes = await list()
    expect(prizes.map(({ id }) => id)).toEqual([hoodie.id, cap.id])
    expect(prizes[0]!.packTypes).toEqual([
      { id: gold, name: 'Gold' },
      { id: silver, name: 'Silver' },
    ])
    expect(prizes[0]!.packTypeIds).toEqual([gold, silver])
    expect(() => AdminPrize.parse(prizes[0])).not.toThrow()
  })
})

describe('POST /api/admin/prizes', () => {
  it('takes every listed field and answers the created prize', async () => {
    const data = (await picture()).toString('base64')
    const answer = await create({
      description: 'Warm',
      claimInstructions: 'Write to us',
      winFrequency: '2',
      totalPacks: '50',
      redCoinAmount: 0,
      inventoryQuantity: '7',
      packTypeIds: [String(silver), gold, gold],
      packTypeId: gold,
      packQuantity: 3,
      imageData: `data:image/png;base64,${data}`,
      imageType: 'image/png',
    })
    expect(answer.statusCode).toBe(200)
    const prize = AdminPrize.parse(answer.json())
    expect(prize).toMatchObject({
      name: 'Hoodie',
      description: 'Warm',
      claimInstructions: 'Write to us',
      winFrequency: 2,
      totalPacks: 50,
      redCoinAmount: 0,
      inventoryQuantity: 7,
      packTypeIds: [gold, silver],
      packTypeId: gold,
      packQuantity: 3,
      imageType: 'image/webp',
    })
    expect((await sharp(Buffer.from(prize.imageData!, 'base64')).metadata()).width).toBe(20)
    expect(await list()).toEqual([prize])
    expect(await stockHistory(prize.id)).toEqual([
      { delta: 7, quantity_after: 7, source_type: 'created' },
    ])
    expect(await lastAudit()).toMatchObject({
      action: 'prize.create',
      actor_id: admin.id,
      target_type: 'prize',
      target_id: String(prize.id),
      before: null,
      after: { name: 'Hoodie', inventoryQuantity: 7, hasImage: true, packTypeIds: [gold, silver] },
    })
    expect(JSON.stringify((await lastAudit())['after'])).not.toContain(prize.imageData)
    await t.expectTrueBooks()
  })

  it('needs a name and a pack type; the rest has its defaults', async () => {
    const answer = await create()
    expect(answer.json()).toMatchObject({
      description: '',
      claimInstructions: '',
      winFrequency: 1,
      totalPacks: 100,
      redCoinAmount: 0,
      packTypeId: null,
      packQuantity: 0,
      imageData: null,
      imageType: null,
      inventoryQuantity: null,
      isActive: true,
      deadlineDays: null,
      countries: [],
      estimatedValue: null,
      questions: [],
      handlerId: null,
      deliversCodes: false,
      isAlsoSent: false,
    })
  })

  it('takes the least of each number', async () => {
    const counts = { winFrequency: 1, totalPacks: 1, inventoryQuantity: 0, packQuantity: 0 }
    const least = { ...counts, redCoinAmount: 0 }
    expect(await created(least)).toMatchObject(least)
  })

  it.each([
    [{ name: ' ' }, 'Prize name is required'],
    [{ packTypeIds: [] }, 'Select at least one pack type'],
    [{ packTypeIds: undefined }, 'Select at least one pack type'],
    [{ packQuantity: -1 }, 'Pack quantity must be 0 or greater'],
    [{ redCoinAmount: -1 }, 'RedCoin amount must be 0 or greater'],
    [{ winFrequency: 0 }, 'Win frequency must be at least 1'],
    [{ totalPacks: 0 }, 'Total packs must be at least 1'],
    [{ inventoryQuantity: -1 }, 'Inventory quantity must be 0 or greater'],
    [{ imageData: 'PHN2Zy8+' }, 'The image must be a PNG, JPEG, GIF or WebP file'],
  ])('refuses %j with its sentence and leaves no trace', async (more, message) => {
    expect(await told(create(more))).toBe(`400 ${message}`)
    expect(await list()).toEqual([])
    expect(await t.rows('SELECT id FROM audit_log')).toEqual([])
  })

  it('answers 404 for a pack type that is not there', async () => {
    for (const more of [{ packTypeIds: [gold, 999_999] }, { packTypeId: 999_999 }]) {
      expect(await told(create(more))).toBe('404 Pack type not found')
    }
    expect(await list()).toEqual([])
  })
})

describe('PUT /api/admin/prizes/{id}', () => {
  it('takes the same fields and answers the updated prize', async () => {
    const { id } = await created({ inventoryQuantity: 5 })
    const change = {
      name: 'Cap',
      description: 'A cap',
      claimInstructions: 'Ask',
      winFrequency: 3,
      totalPacks: 9,
      redCoinAmount: 4,
      inventoryQuantity: 2,
      packTypeIds: [silver],
      packTypeId: gold,
      packQuantity: 1,
      isActive: false,
    }
    const answer = await admin.send('PUT', `${path}/${id}`, change)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ id, ...change })
    expect(await list()).toEqual([answer.json()])
    expect(await stockHistory(id)).toMatchObject([{ delta: 5 }, { delta: -3, quantity_after: 2 }])
    expect(await lastAudit()).toMatchObject({
      action: 'prize.update',
      before: { name: 'Hoodie', inventoryQuantity: 5, packTypeIds: [gold] },
      after: { name: 'Cap', inventoryQuantity: 2, packTypeIds: [silver] },
    })
    await t.expectTrueBooks()
  })

  it('changes only what is given, the picture too, and keeps its quality', async () => {
    // Of one colour it would come out the same however often it is drawn.
    const pixels = Uint8Array.from({ length: 20 * 24 * 3 }, (_, at) => at * at)
    const noise = sharp(pixels, { raw: { width: 20, height: 24, channels: 3 } }).png()
    const imageData = (await noise.toBuffer()).toString('base64')
    const before = await created({ imageData, inventoryQuantity: 3, packTypeId: silver })
    const renamed = await admin.send('PUT', `${path}/${before.id}`, { name: 'Cap' })
    expect(renamed.json()).toEqual({ ...before, name: 'Cap' })
    // A form that sends back what it was shown.
    const shown = `data:${before.imageType};base64,${before.imageData}`
    const same = await admin.send('PUT', `${path}/${before.id}`, { imageData: shown })
    expect(same.json().imageData).toBe(before.imageData)
    const without = await admin.send('PUT', `${path}/${before.id}`, { imageData: null })
    expect(without.json()).toMatchObject({ imageData: null, imageType: null })
    const none = { packTypeId: null, packQuantity: 0, inventoryQuantity: null }
    expect((await admin.send('PUT', `${path}/${before.id}`, none)).json()).toMatchObject(none)
  })

  it('refuses an empty list of pack types, an unknown prize and a deleted one', async () => {
    const { id } = await created()
    expect(await told(admin.send('PUT', `${path}/${id}`, { packTypeIds: [] }))).toBe(
      '400 Select at least one pack type',
    )
    await admin.send('DELETE', `${path}/${id}`)
    for (const unknown of [id, 999_999]) {
      expect(await told(admin.send('PUT', `${path}/${unknown}`, { name: 'x' }))).toBe(
        '404 Prize not found',
      )
    }
  })

  it('makes a new odds table, which the next draw uses', async () => {
    const { id } = await created({ winFrequency: 1, totalPacks: 1, redCoinAmount: 10 })
    const before = await odds(gold)
    expect(before.entries).toMatchObject([{ prizeId: id, chance: 1 }])
    const ana = await t.person('ana', { packs: { [gold]: 2 } })
    const open = async () => (await ana.open(gold)).json()
    expect((await open()).results[0].redCoinEarned).toBe(10)
    await admin.send('PUT', `${path}/${id}`, { redCoinAmount: 25 })
    expect((await odds(gold)).tableHash).not.toBe(before.tableHash)
    expect((await open()).results[0].redCoinEarned).toBe(25)
    await t.expectTrueBooks()
  })

  it('with isActive false takes the prize out of every draw', async () => {
    const { id } = await created({ winFrequency: 1, totalPacks: 1, redCoinAmount: 10 })
    const off = await admin.send('PUT', `${path}/${id}`, { isActive: false })
    expect(off.json().isActive).toBe(false)
    expect((await odds(gold)).entries).toEqual([])
    const ana = await t.person('ana', { packs: { [gold]: 1 } })
    expect((await ana.open(gold)).json().results[0]).toMatchObject({ won: false, prizeId: null })
    await admin.send('PUT', `${path}/${id}`, { isActive: true })
    expect((await odds(gold)).entries).toHaveLength(1)
  })
})

describe('the stock of a prize', () => {
  const add = (id: number, quantity: unknown) =>
    admin.send('POST', `${path}/${id}/add-inventory`, { quantity })
  const set = (id: number, body: object) => admin.send('POST', `${path}/${id}/set-inventory`, body)

  it('grows by what is added', async () => {
    const { id } = await created({ inventoryQuantity: 3 })
    const answer = await add(id, 2)
    expect(answer.statusCode).toBe(200)
    expect(AdminPrize.parse(answer.json()).inventoryQuantity).toBe(5)
    expect(await stockHistory(id)).toMatchObject([{ delta: 3 }, { delta: 2, quantity_after: 5 }])
    expect(await lastAudit()).toMatchObject({
      action: 'prize.change_stock',
      before: { inventoryQuantity: 3 },
      after: { inventoryQuantity: 5 },
    })
    for (const quantity of [0, -1, 'x', null]) {
      expect(await told(add(id, quantity))).toBe('400 Quantity must be at least 1')
    }
    // Units that are given up come on top.
    for (const quantity of [1_000_000_001, 999_999_996]) {
      expect(await told(add(id, quantity))).toBe('400 Quantity is too large')
    }
    await t.expectTrueBooks()
  })

  it('is set to a number or to no end', async () => {
    const { id } = await created({ inventoryQuantity: 3 })
    expect((await set(id, { quantity: '7' })).json().inventoryQuantity).toBe(7)
    expect((await set(id, { quantity: null })).json().inventoryQuantity).toBeNull()
    expect((await set(id, { inventoryQuantity: 4 })).json().inventoryQuantity).toBe(4)
    expect((await set(id, { unlimited: true })).json().inventoryQuantity).toBeNull()
    expect((await set(id, { quantity: 0 })).json().inventoryQuantity).toBe(0)
    expect((await stockHistory(id)).map(({ delta }) => delta)).toEqual([3, 4, -7, 4, -4])
    await t.expectTrueBooks()
    expect((await set(id, {})).json().errors).toEqual([
      { path: 'quantity', message: 'Quantity must be 0 or more' },
    ])
  })

  it('without end cannot be added to', async () => {
    const { id } = await created()
    expect(await told(add(id, 1))).toBe('400 Prize has unlimited stock')
    expect((await add(999_999, 1)).statusCode).toBe(404)
  })

  it('is added once under one key', async () => {
    const { id } = await created({ inventoryQuantity: 1 })
    const key = { 'idempotency-key': 'stock' }
    const url = `${path}/${id}/add-inventory`
    await admin.send('POST', url, { quantity: 2 }, key)
    expect((await admin.send('POST', url, { quantity: 2 }, key)).json().inventoryQuantity).toBe(3)
    const other = (await created({ name: 'Cap', inventoryQuantity: 0 })).id
    const mixed = await admin.send('POST', `${path}/${other}/add-inventory`, { quantity: 2 }, key)
    expect(mixed.statusCode).toBe(422)
  })
})

describe('DELETE /api/admin/prizes/{id}', () => {
  it('takes the prize out of lists and draws; who won it keeps it', async () => {
    const { id } = await created({ winFrequency: 1, totalPacks: 1, inventoryQuantity: 2 })
    const ana = await t.person('ana', { packs: { [gold]: 2 } })
    const open = () => ana.open(gold)
    expect((await open()).json().results[0].prizeId).toBe(id)
    const answer = await admin.send('DELETE', `${path}/${id}`)
    expect(answer.json()).toEqual({ success: true, message: 'Prize deleted successfully' })
    expect(await list()).toEqual([])
    expect((await odds(gold)).entries).toEqual([])
    expect(await t.rows('SELECT id FROM prize_pack_types')).toEqual([])
    expect((await open()).json().results[0].won).toBe(false)
    const claims = await ana.get('/api/user/prize-claims/paginated?filter=physical')
    expect(JSON.stringify(claims.json())).toContain('Hoodie')
    expect((await admin.send('DELETE', `${path}/${id}`)).statusCode).toBe(404)
    await t.expectTrueBooks()
  })

  it('is undone by restoring: fields, stock and pack types are as they were', async () => {
    const before = await created({ packTypeIds: [gold, silver], inventoryQuantity: 2 })
    await admin.send('DELETE', `${path}/${before.id}`)
    expect(await lastAudit()).toMatchObject({ action: 'prize.delete', after: { isArchived: true } })
    await admin.send('DELETE', `/api/admin/pack-types/${silver}`)
    const answer = await admin.send('POST', `${path}/${before.id}/restore`)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      ...before,
      packTypes: [{ id: gold, name: 'Gold' }],
      packTypeIds: [gold],
    })
    expect((await odds(gold)).entries).toHaveLength(1)
    expect((await lastAudit())['action']).toBe('prize.restore')
    expect(await told(admin.send('POST', `${path}/${before.id}/restore`))).toBe(
      '409 This prize is not deleted',
    )
    await admin.send('POST', `/api/admin/pack-types/${silver}/restore`)
    expect((await odds(silver)).entries).toHaveLength(1)
    await t.expectTrueBooks()
  })

  it('cannot be undone before the pack type that comes with it is back', async () => {
    const { id } = await created({ packTypeId: silver, packQuantity: 1 })
    await admin.send('DELETE', `${path}/${id}`)
    await admin.send('DELETE', `/api/admin/pack-types/${silver}`)
    expect(await told(admin.send('POST', `${path}/${id}/restore`))).toBe(
      '409 Restore the pack type that comes with this prize first',
    )
    await admin.send('POST', `/api/admin/pack-types/${silver}/restore`)
    expect((await admin.send('POST', `${path}/${id}/restore`)).statusCode).toBe(200)
  })
})

describe('pages that are open', () => {
  it('hear of changed prizes and odds after the commit', async () => {
    const heard: unknown[] = []
    const stop = t.deps.events.subscribe((event) => {
      if (event.type === 'catalogue_changed') heard.push(event.what)
    })
    await create()
    await create({ name: '' })
    stop()
    expect(heard).toEqual(['prizes', 'pack_types'])
  })
})
