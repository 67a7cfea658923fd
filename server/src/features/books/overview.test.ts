// The overview over HTTP: counters, the reset that hides and keeps, the audit log, the consolation.

import { AdminStats } from '@redpack/contract'
import { describe, expect, it } from 'vitest'
import { useEmbeddedDeps } from '../../../test/deps.ts'
import { checkBooks } from './check-books.ts'

const t = useEmbeddedDeps({ SEED_DEMO: 'off' })

async function scene() {
  const gold = await t.packType('Gold')
  await t.prize('Coins', { packTypeIds: [gold], totalPacks: 1, redCoinAmount: 10 })
  const ana = await t.person('ana', { coins: 100, packs: { [gold]: 5 } })
  const boss = await t.person('boss', { role: 'admin' })
  await ana.open(gold, 2)
  return { gold, ana, boss }
}

describe('GET /api/admin/stats', () => {
  it('answers the stats shape with the counters of the database', async () => {
    const { boss } = await scene()
    const answer = await boss.get('/api/admin/stats')
    expect(answer.statusCode).toBe(200)
    const stats = AdminStats.parse(answer.json())
    expect(stats).toMatchObject({
      totalUsers: 2,
      activeUsers: 2,
      packsOpenedToday: 2,
      totalPackOpenings: 2,
      totalRedCoins: 120,
      totalPrizes: 1,
      prizesClaimedToday: 2,
      storePurchasesToday: 0,
      recentActivity: 2,
      recentOpenings: [
        { username: 'ana', packTypeName: 'Gold', prizeName: 'Coins' },
        { username: 'ana', packTypeName: 'Gold', prizeName: 'Coins' },
      ],
    })
    expect(stats.serverHealth.nodeVersion).toBe(process.version)
    expect(stats.serverHealth.memoryUsage.used).toBeGreaterThan(10)
    await checkBooks(t.deps)
    expect((await boss.read('/api/admin/stats')).books.drift).toBe(0)
  })

  it('counts today from midnight UTC, new users over seven days, and each of thirty days', async () => {
    const { boss } = await scene()
    t.clock.advance(8 * 86_400)
    expect((await boss.get('/api/admin/stats')).statusCode).toBe(401)
    const later = await t.person('later', { role: 'admin' })
    const stats = await later.read('/api/admin/stats')
    expect(stats).toMatchObject({ packsOpenedToday: 0, recentActivity: 0, totalPackOpenings: 2 })
    // Everybody came on the day of the scene, by the database's own clock.
    expect(stats.lastDays.slice(-9)).toMatchObject([
      { newUsers: 3, packsOpened: 2, prizesClaimed: 2 },
      ...Array.from({ length: 8 }, () => ({ newUsers: 0, packsOpened: 0, prizesClaimed: 0 })),
    ])
    expect(stats.lastDays.at(-1)?.day).toBe(t.clock.now().toISOString().slice(0, 10))
    expect(stats.lastDays).toHaveLength(30)
  })

  it('counts new users of seven days, purchases of today and active prizes', async () => {
    const { gold, ana } = await scene()
    const offer = { storePackListingId: await t.listing(gold, { price: 10 }), quantity: 1 }
    const buy = async () => (await ana.send('POST', '/api/store/purchase', offer)).statusCode
    await t.prize('Mug', { packTypeIds: [gold] })
    await t.rows(`UPDATE prizes SET is_active = false WHERE name = 'Mug'`)
    await t.prize('Gone', { packTypeIds: [gold] })
    await t.rows(`UPDATE prizes SET archived_at = now() WHERE name = 'Gone'`)
    expect(await buy()).toBe(200)
    t.clock.advance(90_000)
    expect(await buy()).toBe(200)
    const later = await t.person('later', { role: 'admin' })
    await t.rows(
      `UPDATE users SET created_at = $1::timestamptz
         - CASE username WHEN 'ana' THEN interval '8 days' ELSE interval '6 days' END`,
      [t.clock.now()],
    )
    // Both packs were opened a day and more ago.
    const counted = {
      ...{ totalUsers: 3, activeUsers: 2, storePurchasesToday: 1 },
      ...{ totalPrizes: 1, recentActivity: 0 },
    }
    expect(await later.read('/api/admin/stats')).toMatchObject(counted)
  })
})

describe('POST /api/admin/reset-pack-openings', () => {
  it('hides every opening, keeps claims, balances and proofs, and says how many', async () => {
    const { ana, boss } = await scene()
    const [opening] = (await ana.read('/api/fairness/openings')).openings
    const heard: string[] = []
    const stop = t.deps.events.subscribe(({ type }) => void heard.push(type))
    const answer = await boss.send('POST', '/api/admin/reset-pack-openings')
    stop()
    expect(heard).toContain('everybody_changed')
    expect(answer.json()).toMatchObject({ success: true, deletedCount: 2 })
    expect(await ana.read('/api/user/stats')).toEqual({ totalPacks: 3, packsOpened: 0 })
    expect(await ana.read('/api/user/openings')).toEqual([])
    expect((await ana.read('/api/auth/me')).redCoinBalance).toBe(120)
    expect(await t.column('SELECT count(*)::int AS claims FROM prize_claims')).toEqual([2])
    const proof = await ana.get(`/api/fairness/openings/${opening.id}/proof`)
    expect(proof.json().opening.id).toBe(opening.id)
    await t.expectTrueBooks()
    const audit = await boss.read('/api/admin/audit?search=openings')
    expect(audit).toMatchObject({
      total: 1,
      entries: [{ action: 'openings.reset', actor: { username: 'boss' }, after: { archived: 2 } }],
    })
  })

  it.each([
    [1, '1 opening was reset'],
    [0, '0 openings were reset'],
  ])('says in words that it hid %i', async (count, message) => {
    const { gold, ana, boss } = await scene()
    await boss.send('POST', '/api/admin/reset-pack-openings')
    if (count > 0) await ana.open(gold)
    const answer = await boss.send('POST', '/api/admin/reset-pack-openings')
    expect(answer.json()).toEqual({ success: true, message, deletedCount: count })
  })
})

describe('the settings of the economy', () => {
  it('say 5 until something is saved, then what was saved, for the next opening on', async () => {
    const { gold, ana, boss } = await scene()
    const url = '/api/admin/settings/economy'
    expect(await boss.read(url)).toEqual({ consolationRedCoin: 5 })
    const heard: unknown[] = []
    const stop = t.deps.events.subscribe((event) => {
      if (event.type === 'catalogue_changed') heard.push(event.what)
    })
    expect((await boss.send('PUT', url, { consolationRedCoin: -1 })).statusCode).toBe(400)
    expect(heard).toEqual([])
    expect((await boss.send('PUT', url, { consolationRedCoin: 0 })).json()).toEqual({
      consolationRedCoin: 0,
    })
    stop()
    expect(heard).toEqual(['pack_types'])
    await t.rows('UPDATE prizes SET is_active = false')
    expect((await ana.open(gold)).json().results).toMatchObject([{ won: false, redCoinEarned: 0 }])
  })
})
