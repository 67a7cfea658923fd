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
