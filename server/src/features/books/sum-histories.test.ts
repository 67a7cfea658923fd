// Sums of histories are what going through them says, however far they were summed up and whatever
// happened to the rows afterwards.

import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Person, useEmbeddedDeps } from '../../../test/deps.ts'
import { naiveFigures, shownFigures } from '../../../test/naive-figures.ts'
import { openingProcess } from '../../../test/opening.ts'
import { resetOpenings } from './economy-settings.ts'
import { sumHistories } from './sum-histories.ts'

const t = useEmbeddedDeps()

it('gives the same figures before and after summing up, in any order of events', async () => {
  const gold = await t.packType('Gold')
  // The forecast of stock names limited prizes.
  const limited = { packTypeIds: [gold], winFrequency: 1, stock: 100_000 }
  await t.prize('Coins', { ...limited, totalPacks: 4, redCoinAmount: 9 })
  await t.prize('Mug', { ...limited, totalPacks: 3 })
  const boss = await t.person('boss', { role: 'admin', packs: { [gold]: 10_000 } })
  const ana: Person = await t.person('ana', { packs: { [gold]: 10_000 } })
  // Not by calls: the clock outlives every session.
  const opening = openingProcess(t.deps)
  const order = { packTypeId: gold, quantity: 3, idempotencyKey: undefined }
  const open = (who: Person) => async () => {
    await opening.open(who.id, order)
  }
  const change = (sql: string) => async () => {
    await t.rows(sql)
  }
  const someClaim = 'id = (SELECT id FROM prize_claims ORDER BY random() LIMIT 1)'
  const events = {
    open: open(ana),
    openOther: open(boss),
    later: async () => t.clock.advance(1_900),
    nextDay: async () => t.clock.advance(50_000),
    state: change(
      `UPDATE prize_claims SET updated_at = now(), status = CASE status WHEN 'pending'
        THEN 'processing' WHEN 'processing' THEN 'completed' ELSE 'pending' END WHERE ${someClaim}`,
    ),
    remove: change(`UPDATE prize_claims SET deleted_at = CASE WHEN deleted_at IS NULL
      THEN now() END WHERE ${someClaim}`),
    handMade: change(`INSERT INTO prize_claims (user_id, prize_id, status, prize_name,
        prize_description, red_coin_amount, pack_quantity)
      SELECT 1, id, 'processing', name, '', red_coin_amount, 0 FROM prizes LIMIT 1`),
    everything: change(`UPDATE prize_claims SET status = 'completed', updated_at = now()`),
    reset: async () => {
      const by = { now: t.clock.now(), id: boss.id, role: 'admin' } as never
      await t.db.transaction((tx) => resetOpenings(tx, by))
    },
    sum: () => sumHistories(t.deps, undefined, 1),
  }
  const names = Object.keys(events) as (keyof typeof events)[]
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...names, 'sum' as const), { minLength: 2, maxLength: 10 }),
      async (story) => {
        for (const name of story) {
          await events[name]()
          const now = t.clock.now()
          expect(await shownFigures(t.db, now)).toEqual(await naiveFigures(t.db, now))
        }
      },
    ),
    { numRuns: 12, endOnFailure: true },
  )
  // A story may have been without openings, claims or resets; the last opening is in none of them.
  for (const name of ['handMade', 'reset', 'open'] as const) await events[name]()
  await sumHistories(t.deps, undefined, 1)
  expect(await t.rows('SELECT * FROM history_sums WHERE summed_id <= 0 OR rows < 0')).toEqual([])
}, 240_000)
