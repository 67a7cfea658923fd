// Odds that are kept are those of the database, also after a failover that lost a change of them.

import { expect, it } from 'vitest'
import { useTestDeps } from '../../../test/deps.ts'
import { OddsCache } from './odds-cache.ts'

const t = useTestDeps()

it('keeps odds until their revision changes, or something speaks against the server', async () => {
  const gold = await t.packType('Gold')
  await t.prize('Mug', { packTypeIds: [gold], totalPacks: 10 })
  let doubts = 0
  const pool = { total: 1, idle: 1, waiting: 0, isPooled: false, takeovers: 0 }
  const cache = new OddsCache({ pool: () => ({ ...pool, doubts }) })
  const revision = await t.value<number>('SELECT odds_revision FROM pack_types')
  const odds = async () => (await cache.at(t.db, gold, revision)).entries[0]?.totalPacks
  expect(await odds()).toBe(10)
  // As by a change that a failover has lost, and another one under the same number after it.
  await t.rows('UPDATE prizes SET total_packs = 99')
  await t.rows('UPDATE pack_types SET odds_revision = $1', [revision])
  expect(await odds()).toBe(10)
  doubts += 1
  expect(await odds()).toBe(99)
})
