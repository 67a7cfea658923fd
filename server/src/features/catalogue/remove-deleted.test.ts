// What is left of deleted prizes, pack types and listings after the time in which they can return.

import { describe, expect, it } from 'vitest'
import { useTestDeps } from '../../../test/deps.ts'
import { removeDeleted } from './remove-deleted.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })
const daySeconds = 86_400

const left = async () => {
  const names = async (table: string) =>
    (await t.rows<{ name: string }>(`SELECT name FROM ${table} ORDER BY id`)).map(
      ({ name }) => name,
    )
  const listings = await t.rows<{ id: number }>('SELECT id FROM store_pack_listings ORDER BY id')
  return {
    prizes: await names('prizes'),
    packTypes: await names('pack_types'),
    listings: listings.map(({ id }) => id),
  }
}

describe('the job that removes what was deleted', () => {
  it('leaves what is young, live or referred to, and removes the rest', async () => {
    const admin = await t.person('admin', { role: 'admin' })
    const gold = await t.packType('Gold')
    const spare = await t.packType('Spare')
    const live = await t.packType('Live')
    const won = await t.prize('Won', { packTypeIds: [gold], totalPacks: 1 })
    const bonus = await t.prize('Bonus', { packTypeIds: [live], rewardPackTypeId: spare })
    const ana = await t.person('ana', { coins: 10, packs: { [gold]: 1 } })
    await ana.open(gold)
    const offers = []
    for (const price of [1, 2]) {
      const answer = await admin.send('POST', '/api/admin/store/listings', {
        packTypeId: live,
        redCoinPrice: price,
        quantityAvailable: null,
      })
      offers.push(answer.json().id as number)
    }
    const [bought = 0, unsold = 0] = offers
    await ana.send('POST', '/api/store/purchase', { storePackListingId: bought, quantity: 1 })
    for (const path of [
      `prizes/${won}`,
      `prizes/${bonus}`,
      `pack-types/${gold}`,
      `pack-types/${spare}`,
      `store/listings/${bought}`,
      `store/listings/${unsold}`,
    ]) {
      expect((await admin.send('DELETE', `/api/admin/${path}`)).statusCode).toBe(200)
    }
    const everything = await left()
    t.clock.advance(29 * daySeconds)
    expect(await removeDeleted(t.deps)).toBe(0)
    expect(await left()).toEqual(everything)
    t.clock.advance(2 * daySeconds)
    expect(await removeDeleted(t.deps)).toBe(3)
    expect(await left()).toEqual({
      prizes: ['Won'],
      packTypes: ['Gold', 'Live'],
      listings: [bought],
    })
    expect(await removeDeleted(t.deps)).toBe(0)
    await t.expectTrueBooks()
  })
})
