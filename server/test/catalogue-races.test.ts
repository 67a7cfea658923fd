// Staff change the catalogue while packs are opened and bought, on real PostgreSQL: the books stay
// true, nobody deadlocks, and no unit of stock appears or vanishes.

import { themeDefault } from '@redpack/contract'
import { consolationRedCoinDefault } from '@redpack/contract/limits'
import sharp from 'sharp'
import { beforeEach, describe, expect, it } from 'vitest'
import { statement } from '../src/adapters/db/database.ts'
import { removeUnusedImages, storeImage } from '../src/features/catalogue/image-tables.ts'
import { deletePackType, updatePackType } from '../src/features/catalogue/pack-types.ts'
import { anotherProcess, type Person, usePostgresDeps } from './deps.ts'
import { formBody } from './forms.ts'
import { fillList, fullLists } from './full-lists.ts'
import { heldTransaction, waitingForLocks } from './held-transaction.ts'
import { inLanes } from './lanes.ts'
import { hasPostgres } from './test-database.ts'

describe.skipIf(!hasPostgres)('on PostgreSQL', () => {
  let admin: Person

  const t = usePostgresDeps(24, { SEED_DEMO: 'off' })
  beforeEach(async () => {
    admin = await t.person('admin', { role: 'admin' })
  })
  /** Answers of `count` calls, `width` of them in flight at a time, by status. */
  async function flood(
    count: number,
    width: number,
    call: (index: number) => Promise<{ statusCode: number }>,
  ): Promise<Record<number, number>> {
    const statuses: Record<number, number> = {}
    for (const { statusCode } of await inLanes(count, width, call)) {
      statuses[statusCode] = (statuses[statusCode] ?? 0) + 1
    }
    return statuses
  }

  it('stock that is added and set while it is won adds up', async () => {
    const gold = await t.packType('Gold')
    const prize = await t.prize('Hoodie', { packTypeIds: [gold], totalPacks: 2, stock: 20 })
    const people = await Promise.all(
      Array.from({ length: 6 }, (_, index) => t.person(`p${index}`, { packs: { [gold]: 60 } })),
    )
    const url = `/api/admin/prizes/${prize}`
    const [opened, changed] = await Promise.all([
      flood(90, 6, (index) => people[index % 6]!.open(gold, 2)),
      flood(40, 4, (index) => {
        if (index % 10 === 3) return admin.send('POST', `${url}/set-inventory`, { quantity: 15 })
        if (index % 10 === 6) return admin.send('POST', `${url}/set-inventory`, { quantity: null })
        if (index % 10 === 7) return admin.send('POST', `${url}/set-inventory`, { quantity: 5 })
        return admin.send('POST', `${url}/add-inventory`, { quantity: 1 })
      }),
    ])
    // A player may be told to try again while the odds change under them; nobody sees a failure.
    expect(Object.keys({ ...opened, ...changed }).filter((status) => status === '500')).toEqual([])
    expect(opened[200]).toBeGreaterThan(0)
    await t.expectTrueBooks()
  }, 60_000)

  it('prizes and pack types that are edited, deleted and restored leave true books', async () => {
    const types = await Promise.all(['Gold', 'Silver', 'Bronze'].map((name) => t.packType(name)))
    const prizes = await Promise.all(
      types.map((_, index) =>
        t.prize(`Prize ${index}`, { packTypeIds: types, totalPacks: 5, redCoinAmount: index * 7 }),
      ),
    )
    const packs = Object.fromEntries(types.map((id) => [id, 40]))
    const people = await Promise.all(
      Array.from({ length: 4 }, (_, index) => t.person(`p${index}`, { packs })),
    )
    const [opened, changed] = await Promise.all([
      flood(60, 4, (index) => people[index % 4]!.open(types[index % 3]!)),
      flood(48, 6, (index) => {
        const id = prizes[index % 3]
        const backwards = index % 2 === 0 ? types : [...types].reverse()
        if (index % 8 === 5) return admin.send('DELETE', `/api/admin/prizes/${id}`)
        if (index % 8 === 6) return admin.send('POST', `/api/admin/prizes/${id}/restore`)
        if (index % 8 === 7)
          return admin.send('DELETE', `/api/admin/pack-types/${types[index % 3]}`)
        const body = { redCoinAmount: index, packTypeIds: backwards, name: `Prize ${index}` }
        return admin.send('PUT', `/api/admin/prizes/${id}`, body)
      }),
    ])
    expect(opened[200]).toBeGreaterThan(0)
    const allowed = ['200', '404', '409']
    const others = Object.keys({ ...opened, ...changed }).filter((code) => !allowed.includes(code))
    expect(others.filter((code) => code !== '503')).toEqual([])
    await t.expectTrueBooks()
  }, 60_000)

  it('a claim keeps one prize, never the name of one moment with the picture of another', async () => {
    const gold = await t.packType('Gold')
    const prize = await t.prize('Shade', { packTypeIds: [gold], totalPacks: 1 })
    const people = await Promise.all(
      Array.from({ length: 4 }, (_, index) => t.person(`p${index}`, { packs: { [gold]: 30 } })),
    )
    const paint = async (index: number) => {
      const name = `Shade ${index}`
      const hash = await t.image(Buffer.from(name).toString('base64'))
      const values = [prize, name, hash]
      await t.rows('UPDATE prizes SET name = $2, image_hash = $3 WHERE id = $1', values)
      return { statusCode: 200 }
    }
    await paint(0)
    const [opened] = await Promise.all([
      flood(80, 4, (index) => people[index % 4]!.open(gold)),
      flood(30, 1, paint),
    ])
    expect(opened[200]).toBeGreaterThan(0)
    expect(
      await t.rows(
        `SELECT c.prize_name FROM prize_claims c LEFT JOIN images i ON i.hash = c.image_hash
         WHERE convert_from(i.bytes, 'UTF8') IS DISTINCT FROM c.prize_name`,
      ),
    ).toEqual([])
    await t.expectTrueBooks()
  }, 60_000)

  it('a listing that is changed while it is bought from sells what it had', async () => {
    const gold = await t.packType('Gold')
    const path = '/api/admin/store/listings'
    const offer = (
      await admin.send('POST', path, { packTypeId: gold, redCoinPrice: 1, quantityAvailable: 30 })
    ).json()
    const people = await Promise.all(
      Array.from({ length: 5 }, (_, index) => t.person(`p${index}`, { coins: 500 })),
    )
    const [bought, changed] = await Promise.all([
      flood(60, 5, (index) =>
        people[index % 5]!.send('POST', '/api/store/purchase', {
          storePackListingId: offer.id,
          quantity: 1,
        }),
      ),
      flood(20, 3, (index) =>
        admin.send('PUT', `${path}/${offer.id}`, {
          isActive: true,
          sortOrder: index,
          redCoinPrice: 1 + (index % 3),
        }),
      ),
    ])
    expect(changed).toEqual({ 200: 20 })
    expect(bought).toEqual({ 200: 30, 400: 30 })
    await t.expectTrueBooks()
  }, 60_000)

  const waiting = () => waitingForLocks(t.db)

  /** Keeps rows locked until the first of two acts waits for them, and the second for the first. */
  async function whileLocked<Result>(sql: string, work: () => Promise<Result>): Promise<Result> {
    const lock = await heldTransaction(t.db, (tx) => tx.run(statement(sql, sql), []))
    const result = work()
    await expect.poll(waiting, { timeout: 10_000 }).toBe(2)
    await lock.end()
    return result
  }
  const firstWaits = () => expect.poll(waiting, { timeout: 10_000 }).toBe(1)
  const inUse = [409, 'This pack type is in use: users hold 1 pack of it unopened']

  it('a pack type is not deleted under a grant that is under way', async () => {
    const gold = await t.packType('Gold')
    const ana = await t.person('ana')
    const [granted, deleted] = await whileLocked('SELECT 1 FROM users FOR UPDATE', () => {
      const body = { userId: ana.id, packTypeId: gold, quantity: 1 }
      const grant = admin.send('POST', '/api/admin/distribute-packs', body)
      const remove = firstWaits().then(() => admin.send('DELETE', `/api/admin/pack-types/${gold}`))
      return Promise.all([grant, remove])
    })
    expect(granted.statusCode).toBe(200)
    expect([deleted.statusCode, deleted.json().message]).toEqual(inUse)
  }, 30_000)

  it('a pack type is not deleted under a purchase that is under way', async () => {
    const gold = await t.packType('Gold')
    const ana = await t.person('ana', { coins: 5, packs: { [gold]: 1 } })
    await ana.open(gold)
    const path = '/api/admin/store/listings'
    const listing = { packTypeId: gold, redCoinPrice: 1, isUnlimited: true }
    const { id } = (await admin.send('POST', path, listing)).json()
    const [bought, deleted] = await whileLocked('SELECT 1 FROM user_packs FOR UPDATE', () => {
      const body = { storePackListingId: id, quantity: 1 }
      const buy = ana.send('POST', '/api/store/purchase', body)
      const remove = firstWaits().then(async () => {
        await admin.send('PUT', `${path}/${id}`, { isActive: false })
        return admin.send('DELETE', `/api/admin/pack-types/${gold}`)
      })
      return Promise.all([buy, remove])
    })
    expect(bought.statusCode).toBe(200)
    expect([deleted.statusCode, deleted.json().message]).toEqual(inUse)
  }, 30_000)

  it('of two who assign one prize at once the second hears of the first', async () => {
    const [gold, iron, tin] = await Promise.all(['Gold', 'Iron', 'Tin'].map((n) => t.packType(n)))
    const prize = await t.prize('Mug', { packTypeIds: [gold!], totalPacks: 1 })
    const assign = (id: number) =>
      admin.send('PUT', `/api/admin/prizes/${prize}`, {
        packTypeIds: [id],
        expected: { packTypeIds: [gold] },
      })
    const answers = await whileLocked('SELECT 1 FROM prizes FOR UPDATE', () =>
      Promise.all([assign(iron!), assign(tin!)]),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  })

  it.each(fullLists)(
    'of what is made and restored at once no more %s come than %i',
    async (...list) => {
      const [, , url, into] = list
      const sent = await fillList(t, list)
      const make = () => admin.send('POST', url, sent)
      const { id } = (await make()).json()
      await admin.send('DELETE', `${url}/${id}`)
      const table = into.slice(0, into.indexOf(' '))
      // Whoever has looked whether there is room waits here with what it wants to write.
      const answers = await whileLocked(`LOCK TABLE ${table} IN SHARE MODE`, () =>
        Promise.all([make(), admin.send('POST', `${url}/${id}/restore`)]),
      )
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400])
    },
  )

  it.each([
    ['economy', 'PUT', 'consolationRedCoin', [consolationRedCoinDefault, 6, 7], {}],
    [
      'theme',
      'POST',
      'accentColor',
      [themeDefault.accentColor, '#111111', '#222222'],
      themeDefault,
    ],
  ] as const)(
    'of two who save the first %s at once the second hears of the first',
    async (what, method, field, [seen, ...values], beside) => {
      const answers = await whileLocked('LOCK TABLE app_settings IN SHARE MODE', () =>
        Promise.all(
          values.map((value) =>
            admin.send(method, `/api/admin/settings/${what}`, {
              ...beside,
              [field]: value,
              expected: { [field]: seen },
            }),
          ),
        ),
      )
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    },
  )

  it('a listing whose pack type changes is there for a colleague who waits', async () => {
    const [gold, iron] = await Promise.all(['Gold', 'Iron'].map((name) => t.packType(name)))
    const path = '/api/admin/store/listings'
    const listing = { packTypeId: gold, redCoinPrice: 1, isUnlimited: true }
    const { id } = (await admin.send('POST', path, listing)).json()
    const change = (body: object) => admin.send('PUT', `${path}/${id}`, body)
    const answers = await whileLocked('SELECT 1 FROM store_pack_listings FOR UPDATE', () =>
      Promise.all([
        change({ packTypeId: iron }),
        firstWaits().then(() => change({ sortOrder: 7 })),
      ]),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect(answers[1].json()).toMatchObject({ packTypeId: iron, sortOrder: 7 })
  })

  it('packs of a type that hangs in an edit, or in a refused deletion, are opened', async () => {
    const gold = await t.packType('Gold')
    const ana = await t.person('ana', { packs: { [gold]: 3 } })
    await ana.open(gold)
    const by = { actorId: admin.id, requestId: 'test', now: t.clock.now() }
    await t.db.transaction(async (tx) => {
      await updatePackType(tx, by, gold, { color: '#123456' }, undefined)
      expect((await ana.open(gold)).statusCode).toBe(200)
    })
    await t.db.transaction(async (tx) => {
      await expect(deletePackType(tx, by, gold)).rejects.toMatchObject({ code: 'in_use' })
      expect((await ana.open(gold)).statusCode).toBe(200)
    })
  })

  it('a picture is never removed under whoever begins to refer to it', async () => {
    const shot = (color: string) =>
      sharp({ create: { width: 8, height: 8, channels: 3, background: color } })
        .png()
        .toBuffer()
    const send = async (value: Buffer) => {
      const { body, headers } = formBody([{ name: 'image', fileName: 'a.png', value }])
      return (await admin.send('POST', '/api/upload/image', body, headers)).json().url as string
    }
    const gold = await t.packType('Gold')
    const now = t.clock.now()
    const later = new Date(now.getTime() + 1)
    for (let round = 0; round < 12; round += 1) {
      const value = await shot(`#00${String(round + 10)}00`)
      const address = await send(value)
      await removeUnusedImages(t.db, now, now)
      // Each round refers to it another way while it is being removed for the second time.
      const refer = [
        () => admin.send('PUT', `/api/admin/pack-types/${gold}`, { imageUrl: address }),
        () =>
          admin.send('PUT', `/api/admin/pack-types/${gold}`, {
            imageData: value.toString('base64'),
          }),
        () => send(value),
      ][round % 3]!
      await Promise.all([refer(), removeUnusedImages(t.db, later, later)])
      expect(
        await t.rows(
          `SELECT id FROM pack_types t WHERE coalesce(t.image_hash, t.image_url) IS NOT NULL
             AND NOT EXISTS (SELECT FROM images i
               WHERE i.hash = coalesce(t.image_hash, substring(t.image_url, 10, 64)))`,
        ),
      ).toEqual([])
      if (round % 3 === 2) expect((await t.app.inject(address)).statusCode).toBe(200)
    }
  }, 30_000)

  it('a picture whose new reference is not yet committed is left by its removal', async () => {
    const hash = await t.image(Buffer.from('a picture').toString('base64'))
    const now = t.clock.now()
    const later = new Date(now.getTime() + 1)
    await removeUnusedImages(t.db, now, now)
    let removal: Promise<number> | undefined
    await t.db.transaction(async (tx) => {
      await storeImage(tx, { hash, type: 'image/png', bytes: null, now })
      removal = removeUnusedImages(t.db, later, later)
      await expect.poll(waiting, { timeout: 10_000 }).toBe(1)
      const refer = 'INSERT INTO prizes (name, image_hash) VALUES ($1, $2)'
      await tx.run(statement('refer_for_race', refer), ['Mug', hash])
    })
    expect(await removal).toBe(0)
    expect(await t.rows('SELECT hash FROM images')).toEqual([{ hash }])
  })

  it('an uploaded picture stands in the database, where every process finds it', async () => {
    const value = await sharp({
      create: { width: 8, height: 8, channels: 3, background: '#123456' },
    })
      .png()
      .toBuffer()
    const { body, headers } = formBody([{ name: 'image', fileName: 'a.png', value }])
    const uploads = await Promise.all(
      Array.from({ length: 3 }, () => admin.send('POST', '/api/upload/image', body, headers)),
    )
    const urls = new Set(uploads.map((answer) => answer.json().url as string))
    expect(urls.size).toBe(1)
    const other = await anotherProcess(t, { SEED_DEMO: 'off' })
    const answer = await other.app.inject([...urls][0]!)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/webp'])
    expect((await sharp(answer.rawPayload).metadata()).width).toBe(8)
  })
})
