// The shapes of player answers: every field the specification lists is there.

import { expect, it } from 'vitest'
import { useTestDeps } from './deps.ts'

const t = useTestDeps({
  SEED_DEMO: 'off',
  LOCAL_ADMIN_USERNAME: 'keeper',
  LOCAL_ADMIN_PASSWORD: 'a long enough password',
})

async function scene() {
  const gold = await t.packType('Gold', { icon: 'crown' })
  await t.prize('Mug', { packTypeIds: [gold], winFrequency: 1, totalPacks: 1 })
  const ana = await t.person('ana', { coins: 500, packs: { [gold]: 4 } })
  return { gold, ana }
}

const keysOf = (value: object) => Object.keys(value)

it('the current user has displayName, avatar, role, username and a numeric balance, 0 when nothing was earned', async () => {
  const newcomer = await t.person('newcomer')
  const me = (await newcomer.get('/api/auth/me')).json()
  expect(me).toMatchObject({ username: 'newcomer', displayName: 'newcomer', role: 'user' })
  expect(keysOf(me)).toEqual(expect.arrayContaining(['avatar', 'email', 'id']))
  expect(me.redCoinBalance).toBe(0)
})

it('the stats have totalPacks, the packs held, and packsOpened', async () => {
  const { gold, ana } = await scene()
  await ana.send('POST', '/api/packs/open', { packTypeId: gold, quantity: 1 })
  expect((await ana.get('/api/user/stats')).json()).toEqual({ totalPacks: 3, packsOpened: 1 })
})

it('an opening record has id, createdAt, prize with name and packType with name', async () => {
  const { gold, ana } = await scene()
  await ana.send('POST', '/api/packs/open', { packTypeId: gold, quantity: 1 })
  const [record] = (await ana.get('/api/user/openings')).json()
  expect(record).toMatchObject({ prize: { name: 'Mug' }, packType: { name: 'Gold' } })
  expect(record.id).toBeGreaterThan(0)
  expect(new Date(record.createdAt).toISOString()).toBe(record.createdAt)
})

it('a holding has packTypeId and quantity', async () => {
  const { gold, ana } = await scene()
  expect((await ana.get('/api/user/packs')).json()).toMatchObject([
    { packTypeId: gold, quantity: 4 },
  ])
})

it('a pack type has its eight fields, the icon as the class name it was given', async () => {
  const { ana } = await scene()
  const [type] = (await ana.get('/api/packs/types')).json()
  expect(keysOf(type)).toEqual(
    expect.arrayContaining([
      'id',
      'name',
      'description',
      'icon',
      'color',
      'imageUrl',
      'imageData',
      'imageType',
    ]),
  )
  expect(type.icon).toBe('crown')
})

it('an opening answers results with all their fields, and updatedBalance', async () => {
  const { gold, ana } = await scene()
  const answer = (
    await ana.send('POST', '/api/packs/open', { packTypeId: gold, quantity: 1 })
  ).json()
  expect(answer.updatedBalance).toBe(500)
  const [result] = answer.results
  expect(keysOf(result)).toEqual(
    expect.arrayContaining(['won', 'prizeId', 'prize', 'claimId', 'redCoinEarned']),
  )
  expect(keysOf(result.prize)).toEqual(
    expect.arrayContaining(['name', 'description', 'imageData', 'imageType', 'claimInstructions']),
  )
})

it('a listing has its fields and those of its pack type, each with its own values', async () => {
  const { ana } = await scene()
  const picture = Buffer.from('a picture').toString('base64')
  const [type] = await t.rows<{ id: number }>(
    `INSERT INTO pack_types (name, description, color, image_url, image_hash)
     VALUES ('Iron', 'Cold', '#123456', '/art/pack-iron.svg', $1) RETURNING id`,
    [await t.image(picture)],
  )
  const listed = await t.rows<{ id: number }>(
    `INSERT INTO store_pack_listings
       (pack_type_id, red_coin_price, quantity_available, is_unlimited, sort_order)
     VALUES ($1, 5, 9, false, 1), ($1, 7, 0, true, 2) RETURNING id`,
    [type?.id],
  )
  const packType = {
    ...{ id: type?.id, name: 'Iron', description: 'Cold', color: '#123456' },
    ...{ imageUrl: '/art/pack-iron.svg', imageData: picture, imageType: 'image/png' },
  }
  expect((await ana.get('/api/store/listings')).json()).toMatchObject([
    ...[{ id: listed[0]?.id, redCoinPrice: 5, isUnlimited: false, quantityAvailable: 9, packType }],
    ...[{ id: listed[1]?.id, redCoinPrice: 7, isUnlimited: true, quantityAvailable: 0, packType }],
  ])
})

it('the local login takes username and password', async () => {
  const login = (payload: object) =>
    t.app.inject({ method: 'POST', url: '/api/auth/local', payload })
  const right = { username: 'keeper', password: 'a long enough password' }
  expect((await login(right)).statusCode).toBe(200)
  expect((await login({ username: 'keeper' })).statusCode).toBe(400)
  expect((await login({ password: right.password })).statusCode).toBe(400)
})
