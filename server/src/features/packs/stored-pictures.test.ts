// A kept answer of an opening is sent again as it was, though it carries no picture.

import { expect, it } from 'vitest'
import { useTestDeps } from '../../../test/deps.ts'

const t = useTestDeps()

it('names its pictures, and brings them back byte for byte', async () => {
  const gold = await t.packType('Gold')
  const hoodie = await t.prize('"imageData":"sha256:x"', { packTypeIds: [gold], totalPacks: 1 })
  const imageData = 'iVBORw0K'.repeat(400)
  const show = async (base64: string) =>
    t.rows('UPDATE prizes SET image_hash = $2 WHERE id = $1', [hoodie, await t.image(base64)])
  await show(imageData)
  const ana = await t.person('ana', { packs: { [gold]: 3 } })
  const key = { 'idempotency-key': 'intent-1' }
  const order = { packTypeId: gold, quantity: 3 }
  const first = await ana.send('POST', '/api/packs/open', order, key)
  expect(first.json().results[2].prize).toMatchObject({ imageData, imageType: 'image/png' })
  const [kept] = await t.rows<{ body: string }>('SELECT body FROM idempotency_keys')
  expect(kept!.body).not.toContain(imageData)
  expect(kept!.body.length).toBeLessThan(first.body.length / 3)
  // Another picture later changes nothing of what was answered.
  await show('AAAA')
  const again = await ana.send('POST', '/api/packs/open', order, key)
  expect(again.headers['idempotency-replayed']).toBe('true')
  expect(again.body).toBe(first.body)
})

it('carries pictures up to a megabyte, and says of later ones where they are', async () => {
  const gold = await t.packType('Gold')
  const cap = await t.prize('Cap', { packTypeIds: [gold], totalPacks: 1 })
  const imageData = 'iVBORw0K'.repeat(50_000)
  const hash = await t.image(imageData)
  await t.rows('UPDATE prizes SET image_hash = $2 WHERE id = $1', [cap, hash])
  await t.rows('UPDATE pack_types SET image_hash = $1', [hash])
  for (const name of ['Red', 'Blue', 'Green', 'Grey', 'Pink', 'Black', 'White', 'Brown']) {
    const type = await t.packType(name)
    await t.rows('UPDATE pack_types SET image_hash = $2 WHERE id = $1', [type, hash])
    await t.listing(type)
  }
  const ana = await t.person('ana', { packs: { [gold]: 50 } })
  const key = { 'idempotency-key': 'intent-1' }
  const order = { packTypeId: gold, quantity: 50 }
  const first = await ana.send('POST', '/api/packs/open', order, key)
  expect((await ana.send('POST', '/api/packs/open', order, key)).body).toBe(first.body)
  const claims = await ana.get('/api/user/prize-claims/paginated?limit=100')
  const types = await ana.get('/api/packs/types')
  const store = await ana.get('/api/store/listings')
  for (const name of ['Hat', 'Mug', 'Pin']) {
    const prize = await t.prize(name, { packTypeIds: [gold] })
    await t.rows('UPDATE prizes SET image_hash = $2 WHERE id = $1', [prize, hash])
  }
  const admin = await t.person('admin', { role: 'admin' })
  const prizes = await admin.get('/api/admin/prizes')
  const there = { imageData, imageType: 'image/png', imageUrl: null }
  const elsewhere = { ...there, imageData: null, imageUrl: `/uploads/${hash}.webp` }
  for (const [answer, pictures] of [
    [first, first.json().results.map(({ prize }: { prize: object }) => prize)],
    [claims, claims.json().claims.map(({ prize }: { prize: object }) => prize)],
    [types, types.json()],
    [prizes, prizes.json()],
    [store, [...store.json().map(({ packType }: { packType: object }) => packType)]],
  ] as const) {
    expect(answer.body.length).toBeLessThan(1_200_000)
    expect(pictures[0]).toMatchObject(there)
    expect(pictures.at(-1)).toMatchObject(elsewhere)
  }
  const served = await t.visitor.get(elsewhere.imageUrl)
  expect(served.rawPayload.toString('base64')).toBe(imageData)
})
