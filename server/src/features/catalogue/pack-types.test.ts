// Pack types of staff over HTTP: both kinds of body, the picture, and what keeps one from going.

import { AdminPackType, colorNames } from '@redpack/contract'
import sharp from 'sharp'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Person, told, useTestDeps } from '../../../test/deps.ts'
import { type FormPart, formBody } from '../../../test/forms.ts'
import { fillList, fullLists } from '../../../test/full-lists.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })
const path = '/api/admin/pack-types'

let admin: Person
beforeEach(async () => {
  admin = await t.person('admin', { role: 'admin' })
})

const picture = (background = '#ff0000') =>
  sharp({ create: { width: 20, height: 24, channels: 3, background } })
    .png()
    .toBuffer()

const create = (body: object) => admin.send('POST', path, body)
const created = async (body: object = { name: 'Gold' }): Promise<AdminPackType> =>
  (await create(body)).json()
const change = async (id: number, body: object) =>
  (await admin.send('PUT', `${path}/${id}`, body)).json()
const form = (method: 'POST' | 'PUT', url: string, parts: readonly FormPart[]) => {
  const { body, headers } = formBody(parts)
  return admin.send(method, url, body, headers)
}
const image = async (id: number) => await admin.read(`${path}/${id}/image?t=123`)
const none = { imageUrl: null, imageData: null, imageType: null }

describe('GET /api/admin/pack-types', () => {
  it('answers a list of the admin view, without picture bytes', async () => {
    const gold = await created({ name: 'Gold', imageUrl: '/art/pack-crown.svg' })
    const plain = await created({ name: 'Plain', color: 'red', icon: 'gem' })
    const answer = await admin.get(path)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual([gold, plain])
    expect(Object.keys(answer.json()[0]).sort()).toEqual([
      'color',
      'description',
      'hasImage',
      'icon',
      'id',
      'imageUrl',
      'name',
    ])
    expect(answer.json()).toMatchObject([
      { hasImage: true, imageUrl: '/art/pack-crown.svg' },
      { hasImage: false, imageUrl: null, color: '#EF4444', icon: 'gem' },
    ])
  })
})

describe('POST /api/admin/pack-types', () => {
  it('takes JSON and answers JSON', async () => {
    const body = { name: 'Gold', description: 'Shiny', color: '#0080FF', icon: 'box' }
    const answer = await create({ ...body, imageUrl: 'https://images.test/gold.png' })
    expect(answer.statusCode).toBe(200)
    expect(AdminPackType.parse(answer.json())).toEqual({
      id: expect.any(Number),
      ...body,
      imageUrl: 'https://images.test/gold.png',
      hasImage: true,
    })
    const [entry] = await t.rows('SELECT action, target_id, before, after FROM audit_log')
    expect(entry).toMatchObject({
      action: 'pack_type.create',
      target_id: String(answer.json().id),
      before: null,
      after: { name: 'Gold', color: '#0080FF' },
    })
  })

  it('takes a form with an optional file and answers the same JSON', async () => {
    const texts = [
      { name: 'name', value: 'Gold' },
      { name: 'description', value: 'Shiny' },
      { name: 'color', value: 'purple' },
      { name: 'icon', value: 'gift' },
    ]
    const without = await form('POST', path, texts)
    expect(without.statusCode).toBe(200)
    expect(without.json()).toEqual({
      id: expect.any(Number),
      name: 'Gold',
      description: 'Shiny',
      color: '#A855F7',
      icon: 'gift',
      imageUrl: null,
      hasImage: false,
    })
    const file = { name: 'image', fileName: 'a.png', type: 'image/png', value: await picture() }
    const withFile = await form('POST', path, [...texts, file])
    expect(withFile.json()).toMatchObject({ name: 'Gold', imageUrl: null, hasImage: true })
    const stored = await image(withFile.json().id)
    expect(stored).toMatchObject({ imageUrl: null, imageType: 'image/webp' })
    const shown = await sharp(Buffer.from(stored.imageData, 'base64')).metadata()
    expect([shown.format, shown.width, shown.height]).toEqual(['webp', 20, 24])
  })

  it('fills #8B5CF6 and package when color and icon are not given', async () => {
    for (const more of [{}, { color: '', icon: '' }, { color: null, icon: null }]) {
      expect(await created({ name: 'Gold', ...more })).toMatchObject({
        color: '#8B5CF6',
        icon: 'package',
      })
    }
  })

  it('turns each colour name into hex and keeps hex', async () => {
    const names = Object.entries(colorNames)
    expect(names).toHaveLength(23)
    for (const [color, hex] of names) {
      expect((await created({ name: 'Gold', color })).color).toBe(hex)
    }
    expect((await created({ name: 'Gold', color: 'Electric-Blue' })).color).toBe('#0080FF')
    for (const color of ['#0af', '#00AAff']) {
      expect((await created({ name: 'Gold', color })).color).toBe(color)
    }
  })

  it('answers a theme by its hex, and keeps it when that comes back', async () => {
    const { id, color: answered } = await created({ name: 'Gold', color: 'gaming-orange' })
    const shown = async () => (await admin.read(path)).find((one: AdminPackType) => one.id === id)
    const stored = async () =>
      (await t.column('SELECT color FROM pack_types WHERE id = $1', [id]))[0]
    const put = (change: object) => admin.send('PUT', `${path}/${id}`, change)
    const { color, ...rest } = await shown()
    expect([answered, color]).toEqual(['#FF6B35', '#FF6B35'])
    const again = await put({ ...rest, color, description: 'Old' })
    expect([again.statusCode, again.json().color]).toEqual([200, '#FF6B35'])
    expect(await stored()).toBe('gaming-orange')
    expect((await put({ color: '#123456', expected: { color } })).statusCode).toBe(200)
    expect([await stored(), (await shown()).color]).toEqual(['#123456', '#123456'])
    const late = await put({ color: 'gaming-orange', expected: { color } })
    expect([late.statusCode, late.json().errors[0].current]).toEqual([409, '#123456'])
  })

  it.each(fullLists)('there are at most so many %s: %i', async (...list) => {
    const [what, max, url] = list
    const sent = await fillList(t, list)
    const [last, over] = [await admin.send('POST', url, sent), await admin.send('POST', url, sent)]
    expect(last.statusCode).toBe(200)
    const full = `There can be at most ${max.toLocaleString('en')} ${what}. Delete one first.`
    expect([over.statusCode, over.json().message]).toEqual([400, full])
    await admin.send('DELETE', `${url}/${last.json().id}`)
    expect((await admin.send('POST', url, sent)).statusCode).toBe(200)
    expect((await admin.send('POST', `${url}/${last.json().id}/restore`)).statusCode).toBe(400)
  })

  it('refuses what is not right, in either kind of body', async () => {
    expect(await told(create({ name: '' }))).toBe('400 Pack type name is required')
    expect((await form('POST', path, [{ name: 'icon', value: 'box' }])).json().message).toBe(
      'Pack type name is required',
    )
    for (const color of ['nope', '#12', '#12345678', 'constructor', 'red;']) {
      expect(await told(create({ name: 'Gold', color }))).toBe('400 Invalid color')
    }
    const svg = { name: 'image', fileName: 'a.svg', type: 'image/svg+xml', value: '<svg/>' }
    const script = await form('POST', path, [{ name: 'name', value: 'Gold' }, svg])
    expect([script.statusCode, script.json().error]).toEqual([
      400,
      'The image must be a PNG, JPEG, GIF or WebP file',
    ])
    expect(await admin.read(path)).toEqual([])
  })
})

describe('PUT /api/admin/pack-types/{id}', () => {
  it('takes both kinds of body, any subset', async () => {
    const before = await created({ name: 'Gold', description: 'Shiny', color: 'red', icon: 'box' })
    expect(await change(before.id, { name: 'Silver' })).toEqual({ ...before, name: 'Silver' })
    const byForm = await form('PUT', `${path}/${before.id}`, [{ name: 'icon', value: 'dice' }])
    expect(byForm.json()).toEqual({ ...before, name: 'Silver', icon: 'dice' })
    const full = {
      name: 'A',
      description: 'B',
      color: '#123456',
      icon: '🎁',
      imageUrl: '/art/a.png',
    }
    expect(await change(before.id, full)).toEqual({ id: before.id, ...full, hasImage: true })
    expect(await told(admin.send('PUT', `${path}/999999`, { name: 'x' }))).toBe(
      '404 Pack type not found',
    )
    const [entry] = await t.rows('SELECT before, after FROM audit_log ORDER BY id DESC LIMIT 1')
    expect(entry).toMatchObject({ before: { name: 'Silver' }, after: { name: 'A' } })
  })

  it('lets the picture that came last stand, and none when it is taken away', async () => {
    const { id } = await created({ name: 'Gold', imageUrl: 'https://images.test/a.png' })
    const file = { name: 'image', fileName: 'a.png', value: await picture() }
    expect((await form('PUT', `${path}/${id}`, [file])).json()).toMatchObject({
      imageUrl: null,
      hasImage: true,
    })
    const uploaded = await image(id)
    expect(uploaded).toMatchObject({ imageUrl: null, imageType: 'image/webp' })
    // No key about the picture, or an empty address beside an upload, leaves it as it is.
    await change(id, { name: 'Silver' })
    await change(id, { name: 'Silver', imageUrl: '' })
    expect(await image(id)).toEqual(uploaded)
    await change(id, { imageUrl: 'https://images.test/b.png' })
    expect(await image(id)).toEqual({ ...none, imageUrl: 'https://images.test/b.png' })
    expect(await change(id, { imageUrl: '' })).toMatchObject({ hasImage: false })
    const text = `data:image/png;base64,${(await picture('#00ff00')).toString('base64')}`
    expect(await change(id, { imageData: text })).toMatchObject({ hasImage: true })
    expect(await change(id, { imageData: null })).toMatchObject({ hasImage: false })
    expect(await image(id)).toEqual(none)
  })
})

describe('DELETE /api/admin/pack-types/{id}', () => {
  const remove = async (id: number) => {
    const answer = await admin.send('DELETE', `${path}/${id}`)
    return [answer.statusCode, answer.json().message]
  }

  it('hides the pack type everywhere, its assignments go with it and no others', async () => {
    const { id } = await created()
    const other = (await created({ name: 'Other' })).id
    const hoodie = await t.prize('Hoodie', { packTypeIds: [id, other] })
    expect(await remove(id)).toEqual([200, 'Pack type deleted successfully'])
    expect(await admin.read(path)).toMatchObject([{ id: other }])
    const ana = await t.person('ana')
    expect(await ana.read('/api/packs/types')).toMatchObject([{ id: other }])
    expect(await t.rows('SELECT prize_id, pack_type_id FROM prize_pack_types')).toEqual([
      { prize_id: hoodie, pack_type_id: other },
    ])
    expect(await admin.read('/api/admin/prizes')).toMatchObject([{ packTypeIds: [other] }])
    expect(await remove(id)).toEqual([404, 'Pack type not found'])
    expect((await admin.get(`${path}/${id}/image`)).statusCode).toBe(404)
  })

  it('is refused with 409 while something uses it', async () => {
    const { id } = await created()
    const start = 'This pack type is in use:'
    await t.prize('Bonus', { packTypeIds: [], rewardPackTypeId: id, rewardPackQuantity: 1 })
    expect(await remove(id)).toEqual([409, `${start} it comes with 1 prize`])
    await t.rows('UPDATE prizes SET archived_at = now()')
    await t.rows(
      `INSERT INTO twitch_streams (twitch_channel_id, channel_name, display_name,
         reward_pack_type_id) VALUES ('1', 'a', 'A', $1)`,
      [id],
    )
    expect(await remove(id)).toEqual([409, `${start} it is the reward of 1 stream`])
    await t.rows('UPDATE twitch_streams SET reward_pack_type_id = NULL')
    await t.listing(id)
    expect(await remove(id)).toEqual([409, `${start} the store sells it in 1 listing`])
    await t.rows('UPDATE store_pack_listings SET is_active = false')
    const ana = await t.person('ana', { packs: { [id]: 3 } })
    expect(await remove(id)).toEqual([409, `${start} users hold 3 packs of it unopened`])
    await ana.open(id, 3)
    expect(await remove(id)).toEqual([200, 'Pack type deleted successfully'])
    await t.expectTrueBooks()
  })

  it('is undone by restoring, with the prizes that are still there', async () => {
    const before = await created({ name: 'Gold', imageUrl: '/art/pack-crown.svg' })
    const other = (await created({ name: 'Other' })).id
    const kept = await t.prize('Hoodie', { packTypeIds: [before.id] })
    const gone = await t.prize('Cap', { packTypeIds: [before.id, other] })
    await remove(before.id)
    await admin.send('DELETE', `/api/admin/prizes/${gone}`)
    const answer = await admin.send('POST', `${path}/${before.id}/restore`)
    expect([answer.statusCode, answer.json()]).toEqual([200, before])
    expect(await t.rows('SELECT prize_id, pack_type_id FROM prize_pack_types')).toEqual([
      { prize_id: kept, pack_type_id: before.id },
    ])
    const restored = (id: number) => told(admin.send('POST', `${path}/${id}/restore`))
    expect(await restored(before.id)).toBe('409 This pack type is not deleted')
    expect(await restored(999_999)).toBe('404 Pack type not found')
    const noted = `SELECT action, after -> 'isArchived' AS gone FROM audit_log
      WHERE target_type = 'pack_type' AND target_id = $1 ORDER BY id OFFSET 1`
    expect(await t.rows(noted, [String(before.id)])).toEqual([
      { action: 'pack_type.delete', gone: true },
      { action: 'pack_type.restore', gone: false },
    ])
    await admin.send('POST', `/api/admin/prizes/${gone}/restore`)
    const back = 'SELECT pack_type_id FROM prize_pack_types WHERE prize_id = $1 ORDER BY 1'
    expect(await t.column(back, [gone])).toEqual([before.id, other])
  })
})
