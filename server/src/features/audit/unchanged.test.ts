// What was saved as it is stored is no change, and the log of staff actions has none.

import sharp from 'sharp'
import { expect, it } from 'vitest'
import { useTestDeps } from '../../../test/deps.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })

it('has no entry of a form that was saved as it was, and one of a picture that was replaced', async () => {
  const gold = await t.packType('Gold')
  const prize = await t.prize('Hoodie', { packTypeIds: [gold] })
  const boss = await t.person('boss', { role: 'admin' })
  const offer = { packTypeId: gold, redCoinPrice: 10, quantityAvailable: null }
  const listing = (await boss.send('POST', '/api/admin/store/listings', offer)).json()
  const settings = '/api/admin/discord/bot-settings'
  await boss.send('PUT', settings, { rewardAmount: 7 })
  const draw = async (background: string) => {
    const image = sharp({ create: { width: 20, height: 24, channels: 3, background } })
    const imageData = (await image.png().toBuffer()).toString('base64')
    await boss.send('PUT', `/api/admin/prizes/${prize}`, { imageData })
  }
  await draw('#123456')
  const entries = () => t.value<number>('SELECT count(*)::int FROM audit_log')
  const before = await entries()
  for (const [path, body] of [
    [`/api/admin/pack-types/${gold}`, { name: 'Gold' }],
    [`/api/admin/prizes/${prize}`, {}],
    [`/api/admin/store/listings/${listing.id}`, { redCoinPrice: 10 }],
    [settings, { rewardAmount: 7 }],
  ] as const) {
    expect((await boss.send('PUT', path, body)).statusCode, path).toBe(200)
    expect(await entries(), path).toBe(before)
  }
  await draw('#654321')
  expect(await entries()).toBe(before + 1)
})
