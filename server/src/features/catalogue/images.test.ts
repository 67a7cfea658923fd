// Pictures over HTTP: who may upload, where they are served, and how the answers are sealed.

import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { type Person, told, useTestDeps } from '../../../test/deps.ts'
import { formBody } from '../../../test/forms.ts'
import { removeDeleted } from './remove-deleted.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })
const path = '/api/upload/image'

const picture = (background = '#ff0000') =>
  sharp({ create: { width: 20, height: 24, channels: 3, background } })
    .png()
    .toBuffer()

const upload = (person: Person, value: Buffer | string, field = 'image') => {
  const { body, headers } = formBody([{ name: field, value, fileName: 'a.png' }])
  return person.send('POST', path, body, headers)
}

describe('POST /api/upload/image', () => {
  it('answers where the picture is served, whatever the field is called', async () => {
    const admin = await t.person('admin', { role: 'admin' })
    const answer = await upload(admin, await picture())
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      url: expect.stringMatching(/^\/uploads\/[0-9a-f]{64}\.webp$/),
    })
    expect((await upload(admin, await picture(), 'file')).json()).toEqual(answer.json())
    expect(await t.rows('SELECT hash FROM images')).toHaveLength(1)
    expect(await t.rows('SELECT action, actor_id FROM audit_log')).toEqual([
      { action: 'image.upload', actor_id: admin.id },
      { action: 'image.upload', actor_id: admin.id },
    ])
  })

  it('says in the field error what is wrong, and keeps nothing', async () => {
    const admin = await t.person('admin', { role: 'admin' })
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'
    for (const text of ['just a text', svg, '<!doctype html>']) {
      const answer = await upload(admin, text)
      expect(answer.statusCode).toBe(400)
      const sentence = 'The image must be a PNG, JPEG, GIF or WebP file'
      expect(answer.json()).toMatchObject({ error: sentence, message: sentence })
    }
    const { body, headers } = formBody([{ name: 'other', value: 'x' }])
    const nothing = await admin.send('POST', path, body, headers)
    expect([nothing.statusCode, nothing.json().error]).toEqual([400, 'Please select an image'])
    const large = await upload(admin, Buffer.alloc(5 * 1024 * 1024 + 1))
    expect([large.statusCode, large.json().error]).toEqual([
      413,
      'The file must be 5 MB or smaller',
    ])
    expect((await admin.send('POST', path, { image: 'x' })).statusCode).toBe(415)
    expect(await t.rows('SELECT hash FROM images')).toEqual([])
  })
})

describe('GET /uploads/{name}', () => {
  it('answers everyone with the picture, for ever, and lets it do nothing', async () => {
    const admin = await t.person('admin', { role: 'admin' })
    const { url } = (await upload(admin, await picture('#00ff00'))).json()
    const answer = await t.app.inject(url)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    })
    const shown = await sharp(answer.rawPayload).metadata()
    expect([shown.format, shown.width, shown.height]).toEqual(['webp', 20, 24])
    const again = await t.visitor.get(url, { 'if-none-match': String(answer.headers.etag) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    const head = await t.app.inject({ method: 'HEAD', url })
    const { 'content-length': length } = head.headers
    expect([head.statusCode, length]).toEqual([200, answer.headers['content-length']])
  })

  it.each(['x.webp', `${'0'.repeat(64)}.webp`, `${'0'.repeat(64)}.svg`, '..%2f..%2fetc%2fpasswd'])(
    'answers %s with 404',
    async (name) => {
      expect((await t.app.inject(`/uploads/${name}`)).statusCode).toBe(404)
    },
  )
})

describe('pictures that nothing refers to', () => {
  const hashes = async () =>
    (await t.rows<{ hash: string }>('SELECT hash FROM images')).map(({ hash }) => hash)
  const hashOf = (url: string) => url.slice('/uploads/'.length, -'.webp'.length)
  const uploaded = async (admin: Person, color: string): Promise<string> =>
    (await upload(admin, await picture(color))).json().url

  it('go with the job, at least an hour after they were first found unused', async () => {
    const admin = await t.person('admin', { role: 'admin' })
    await uploaded(admin, '#0000ff')
    t.clock.advance(30 * 86_400)
    expect(await removeDeleted(t.deps)).toBe(0)
    t.clock.advance(3_600)
    expect(await removeDeleted(t.deps)).toBe(0)
    t.clock.advance(1)
    expect(await removeDeleted(t.deps)).toBe(1)
    expect(await hashes()).toEqual([])
  })

  it('are counted anew when they are uploaded again or were in use meanwhile', async () => {
    const admin = await t.person('admin', { role: 'admin' })
    const gold = await t.packType('Gold')
    const again = await uploaded(admin, '#0000ff')
    const used = await uploaded(admin, '#00ff00')
    await removeDeleted(t.deps)
    t.clock.advance(3_601)
    await uploaded(admin, '#0000ff')
    const path = `/api/admin/pack-types/${gold}`
    await admin.send('PUT', path, { imageUrl: used })
    await removeDeleted(t.deps)
    await admin.send('PUT', path, { imageUrl: null })
    t.clock.advance(3_601)
    await removeDeleted(t.deps)
    expect(await hashes()).toEqual([hashOf(used)])
    expect((await t.app.inject(again)).statusCode).toBe(404)
  })

  it('are those that neither prize, pack type, listing nor address names', async () => {
    const admin = await t.person('admin', { role: 'admin' })
    const gold = await t.packType('Gold')
    const spare = await t.packType('Spare')
    const prize = await t.prize('Mug', { packTypeIds: [gold] })
    const imageData = (await picture('#123456')).toString('base64')
    await admin.send('PUT', `/api/admin/prizes/${prize}`, { imageData })
    const other = (await picture('#654321')).toString('base64')
    await admin.send('PUT', `/api/admin/pack-types/${gold}`, { imageData: other })
    const address = `https://rewards.test${await uploaded(admin, '#0000ff')}?t=5`
    await admin.send('PUT', `/api/admin/pack-types/${spare}`, { imageUrl: address })
    const customImage = await uploaded(admin, '#00ff00')
    const listing = { packTypeId: gold, redCoinPrice: 5, quantityAvailable: 1, customImage }
    expect((await admin.send('POST', '/api/admin/store/listings', listing)).statusCode).toBe(200)
    const before = await hashes()
    expect(before).toHaveLength(4)
    for (let day = 0; day < 3; day += 1) {
      expect(await removeDeleted(t.deps)).toBe(0)
      t.clock.advance(3_601)
    }
    expect(await hashes()).toEqual(before)
  })

  it('cannot be referred to once they are gone', async () => {
    const admin = await t.person('admin', { role: 'admin' })
    const gold = await t.packType('Gold')
    const imageUrl = await uploaded(admin, '#0000ff')
    await t.rows('DELETE FROM images')
    expect(await told(admin.send('PUT', `/api/admin/pack-types/${gold}`, { imageUrl }))).toBe(
      '400 This picture is no longer there, please upload it again',
    )
  })
})
