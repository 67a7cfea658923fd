// The numbers beside the views of what is sent, also where very much was sent.

import { expect, it } from 'vitest'
import { useTestDeps } from '../../../test/deps.ts'

const t = useTestDeps()

it('counts what is left to do one by one, of what is done ten thousand, and every page', async () => {
  const caps = await t.packType('Caps')
  const prize = await t.prize('Cap', { packTypeIds: [caps] })
  const boss = await t.person('boss', { role: 'admin' })
  await t.db.script(`
    INSERT INTO prize_claims (id, user_id, prize_id, status, prize_name, prize_description,
      red_coin_amount, pack_quantity, deleted_at)
    SELECT n, ${boss.id}, ${prize}, CASE WHEN n <= 10050 THEN 'completed' ELSE 'pending' END, 'Cap',
      '', 0, 0, CASE WHEN n % 1000 = 0 THEN now() END
    FROM generate_series(1, 10061) n;
    INSERT INTO shipments (id, state, handler_id, updated_at)
    SELECT id, CASE WHEN id <= 10050 THEN 'delivered' ELSE 'ready' END,
      CASE WHEN id = 10052 THEN ${boss.id} END, now()
    FROM prize_claims;
    UPDATE prize_claims SET deleted_at = now() WHERE id = 10051`)
  const page = async (query: string) => (await boss.get(`/api/admin/shipments?${query}`)).json()
  const counts = { ready: 10, delivered: 10_000, packed: 0, mine: 1 }
  expect(await page('state=ready')).toMatchObject({ counts, total: 10 })
  expect(await page('state=delivered&limit=100&page=101')).toMatchObject({
    counts,
    ...{ total: 10_040, totalPages: 101, shipments: { length: 40 } },
  })
  expect(await page('')).toMatchObject({ total: 10_050 })
  await boss.send('PUT', `/api/admin/prizes/${prize}`, { handlerId: boss.id })
  expect(await page('handler=me')).toMatchObject({ counts: { ...counts, mine: 10 }, total: 10 })
})

it.each(['ana', 'fan'])(
  'finds the oldest that is left to send of whoever won much since: %s',
  async (search) => {
    const caps = await t.packType('Caps')
    const prize = await t.prize('Cap', { packTypeIds: [caps] })
    const boss = await t.person('boss', { role: 'admin' })
    const ana = await t.person('ana-fan')
    await t.db.script(`
      INSERT INTO users (username, display_name)
      SELECT 'fan' || n, 'Fan' FROM generate_series(1, 5001) n;
      INSERT INTO prize_claims (id, user_id, prize_id, status, prize_name, prize_description,
        red_coin_amount, pack_quantity)
      SELECT n, ${ana.id}, ${prize}, CASE WHEN n = 1 THEN 'pending' ELSE 'completed' END, 'Cap', '',
        0, 0 FROM generate_series(1, 2003) n;
      INSERT INTO shipments (id, state, updated_at)
      SELECT id, CASE WHEN id = 1 THEN 'ready' ELSE 'delivered' END, now()
      FROM prize_claims WHERE id <= 1002`)
    const found = async (query: string) => {
      const { shipments, total } = await boss.read(`/api/admin/shipments?search=${search}${query}`)
      return [shipments[0]?.claimId, total]
    }
    expect(await found('&state=ready')).toEqual(['PR-1', 1])
    expect(await found('')).toEqual(['PR-1002', 1_000])
    expect(await found('&page=50&limit=20')).toEqual(['PR-22', 1_000])
  },
)
