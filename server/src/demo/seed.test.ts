// The demo content is put in once, and its books are true.

import { expect, it } from 'vitest'
import { useTestDeps } from '../../test/deps.ts'
import { brokenInvariants, runInvariants } from '../features/books/invariants.ts'
import { seedDemo, welcomeNewcomer } from './seed.ts'

const t = useTestDeps()

it('fills an empty database once, with books that hold', async () => {
  expect(await seedDemo(t.deps)).toBe(true)
  expect(await seedDemo(t.deps)).toBe(false)
  const [counts] = await t.rows<Record<string, number>>(
    `SELECT (SELECT count(*)::int FROM pack_types) AS types, (SELECT count(*)::int FROM prizes)
       AS prizes,
       (SELECT count(*)::int FROM store_pack_listings) AS listings,
       (SELECT count(*)::int FROM store_pack_listings WHERE NOT is_unlimited) AS limited,
       (SELECT count(*)::int FROM twitch_streams) AS streams,
       (SELECT count(*)::int FROM twitch_streams WHERE is_live) AS live,
       (SELECT count(*)::int FROM users WHERE red_coin_balance > 0) AS ranked,
       (SELECT count(*)::int FROM app_settings) AS settings`,
  )
  expect(counts?.['types']).toBeGreaterThanOrEqual(3)
  expect(counts?.['prizes']).toBeGreaterThanOrEqual(8)
  expect(counts?.['listings']).toBeGreaterThanOrEqual(3)
  expect(counts?.['limited']).toBeGreaterThanOrEqual(1)
  expect(counts?.['streams']).toBe(2)
  expect(counts?.['live']).toBe(1)
  expect(counts?.['ranked']).toBeGreaterThanOrEqual(25)
  expect(counts?.['settings']).toBe(0)
  expect(brokenInvariants(await runInvariants(t.db, t.seeds))).toEqual([])
})

it('gives a newcomer enough packs for a full opening', async () => {
  await seedDemo(t.deps)
  const ana = await t.person('newcomer')
  await t.db.transaction((tx) => welcomeNewcomer(tx, ana.id, t.clock.now()))
  const held = await t.rows<{ quantity: number }>(
    'SELECT quantity FROM user_packs WHERE user_id = $1 ORDER BY quantity DESC',
    [ana.id],
  )
  expect(held.length).toBeGreaterThanOrEqual(4)
  expect(held[0]?.quantity).toBeGreaterThanOrEqual(50)
  expect(brokenInvariants(await runInvariants(t.db, t.seeds))).toEqual([])
})
