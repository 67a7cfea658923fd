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
