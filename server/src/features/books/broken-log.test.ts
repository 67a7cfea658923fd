// The books find whatever is wrong with the public log, each wrong planted by hand.

import { beforeEach, describe, expect, it } from 'vitest'
import { nextDay, type Person, useTestDeps } from '../../../test/deps.ts'
import { keepLog } from '../fairness/public-log.ts'
import { brokenLog } from './broken-log.ts'
import { runInvariant } from './invariants.ts'

const t = useTestDeps()
let gold: number
let cap: number
let ana: Person

beforeEach(async () => {
  gold = await t.packType('Gold')
  cap = await t.prize('Cap', { packTypeIds: [gold], totalPacks: 2, stock: 3 })
  ana = await t.person('ana', { packs: { [gold]: 1000 } })
  for (const quantity of [2, 5]) await open(quantity)
  nextDay(t.clock)
  await open(2)
  await keepLog(t.deps)
})

const open = (quantity: number) => ana.open(gold, quantity)
const found = async () => (await runInvariant(t.db, brokenLog)).rows
const problems = async () => (await found()).map(({ problem }) => problem)
/** Past every trigger that would refuse it. */
const plant = (sql: string) =>
  t.db.script(`SET session_replication_role = replica; ${sql};
    SET session_replication_role = origin;`)
const entryOf = (type: string) =>
  `(SELECT min(index) FROM log_entries WHERE body LIKE '{"type":"${type}"%')`

describe('an honest log', () => {
  it('agrees with the books, also after a reset and while rows wait', async () => {
    expect(await found()).toEqual([])
    await t.db.script(`INSERT INTO pack_openings_archive (id, request_id, user_id, pack_type_id,
        prize_id, sold_out_prize_id, red_coin_earned, position, created_at, stock_after)
      SELECT id, request_id, user_id, pack_type_id, prize_id, sold_out_prize_id, red_coin_earned,
        position, created_at, stock_after FROM pack_openings;
      DELETE FROM pack_openings;`)
    await open(3)
    const boss = await t.person('boss', { role: 'admin' })
    for (const quantity of [0, null, 9]) {
      await boss.send('POST', `/api/admin/prizes/${cap}/set-inventory`, { quantity })
    }
    expect(await found()).toEqual([])
    await keepLog(t.deps)
    expect(await found()).toEqual([])
  })

  it('is followed over many batches, tiles and checkpoints', async () => {
    for (let round = 0; round < 3; round += 1) {
      for (let count = 0; count < 90; count += 1) await open(1)
      await keepLog(t.deps)
    }
    expect(await found()).toEqual([])
    await plant(`UPDATE log_subtrees SET hash = sha256('x'::bytea) WHERE position = 0`)
    expect(await problems()).toEqual(['the hash of a subtree is wrong'])
  })
})

describe('draws of limited prizes', () => {
  // Two requests that took from one stock, told the other way round.
  const exchangeQueued = `UPDATE log_queue SET ref = other.ref FROM log_queue other
    WHERE log_queue.kind = 'opening' AND other.kind = 'opening' AND log_queue.id <> other.id`

  it('stand in the log in the order in which they took from the stock', async () => {
    const mug = await t.prize('Mug', { packTypeIds: [gold], totalPacks: 1, stock: 9 })
    await t.rows('UPDATE prizes SET is_active = false WHERE id = $1', [cap])
    await keepLog(t.deps)
    for (const quantity of [2, 2]) await open(quantity)
    await plant(exchangeQueued)
    await keepLog(t.deps)
    expect(
      await t.column('SELECT count(*)::int AS n FROM prize_claims WHERE prize_id = $1', [mug]),
    ).toEqual([4])
    expect(new Set(await problems())).toEqual(
      new Set(['the stock does not follow from the entries before']),
    )
  })

  it('follow the changes that staff make', async () => {
    const boss = await t.person('boss', { role: 'admin' })
    const set = (quantity: number | null) =>
      boss.send('POST', `/api/admin/prizes/${cap}/set-inventory`, { quantity })
    for (const quantity of [50, null, 4]) {
      await set(quantity)
      await open(5)
    }
    await keepLog(t.deps)
    expect(await found()).toEqual([])
  })
})

describe('a corruption', () => {
  it.each([
    [
      'an exchanged first commitment',
      `UPDATE draw_chains SET first_commitment = repeat('ab', 32)`,
      'the commitment of the chain was exchanged',
    ],
    [
      'a chain that is gone',
      'DELETE FROM draw_chains WHERE ended_at IS NOT NULL',
      'there is no such chain',
    ],
    [
      'an exchanged unused seed',
      `UPDATE draw_chains SET end_seed = repeat('cd', 32) WHERE ended_at IS NOT NULL`,
      'the chain has ended otherwise',
    ],
    [
      'an end that was never told',
      `DELETE FROM log_queue; UPDATE draw_chains SET ended_at = now(), sealed_seed = NULL,
         end_seed = repeat('a', 64) WHERE ended_at IS NULL`,
      'its end is not in the log once',
    ],
    [
      'an exchanged seed',
      `UPDATE opening_requests SET server_seed = repeat('a', 64)`,
      'the opening request is another one',
    ],
    [
      'exchanged entropy',
      `UPDATE opening_requests SET entropy = repeat('a', 64)`,
      'the opening request is another one',
    ],
    [
      "entropy told as the player's",
      `UPDATE opening_requests SET entropy_from = 'player'`,
      'the opening request is another one',
    ],
    ['a request that is gone', 'DELETE FROM opening_requests', 'there is no such opening request'],
    [
      'a changed odds table',
      `UPDATE odds_tables SET body = replace(body, '"winFrequency":1', '"winFrequency":2')`,
      'the odds table is not the one that was hashed',
    ],
    [
      'a table that was never told',
      `INSERT INTO odds_tables (pack_type_id, table_hash, body)
         SELECT pack_type_id, repeat('0', 64), body FROM odds_tables`,
      'the table is not in the log',
    ],
    [
      'a changed opening',
      'UPDATE pack_openings SET red_coin_earned = 999',
      'the opening request is another one',
    ],
    [
      'a removed opening',
      'DELETE FROM pack_openings WHERE id = (SELECT max(id) FROM pack_openings)',
      'the opening request is another one',
    ],
    [
      'a changed stock history',
      'UPDATE stock_events SET delta = 4',
      'the change of stock is another one',
    ],
    [
      'a stock event that was never told',
      `INSERT INTO stock_events (kind, ref_id, delta, quantity_after, source_type, source_id)
         SELECT 'prize', id, 1, 4, 'staff_change', 'x' FROM prizes`,
      'the change is not in the log once',
    ],
    [
      'a request that waits although it is logged',
      `INSERT INTO log_queue (kind, ref) SELECT 'opening', id::text FROM opening_requests`,
      'it is not in the log once',
    ],
    ['a request that is in neither place', 'DELETE FROM log_requests', 'it is not in the log once'],
    [
      'a changed entry',
      `UPDATE log_entries SET body = replace(body, '"index":1', '"index":7')`,
      'its hash is not that of its text',
    ],
    [
      'a changed entry with its hash',
      `UPDATE log_entries SET body = replace(body, '"index":1', '"index":7');
       UPDATE log_entries SET leaf_hash = sha256('\\x00'::bytea || convert_to(body, 'UTF8'))`,
      'what was signed is not what the log holds',
    ],
    [
      'a changed entry with its hash, by its opening too',
      `UPDATE log_entries SET body = replace(body, '"index":1', '"index":7');
       UPDATE log_entries SET leaf_hash = sha256('\\x00'::bytea || convert_to(body, 'UTF8'))`,
      'the opening request is another one',
    ],
    [
      'an entry of an unknown type',
      `UPDATE log_entries SET body = '{"type":"note"}' WHERE index = ${entryOf('stock')}`,
      'its hash is not that of its text',
    ],
    ['a removed entry', 'DELETE FROM log_entries WHERE index = 2', 'entries are missing'],
    [
      'removed entries at the end',
      'DELETE FROM log_entries WHERE index > 3',
      'more entries were signed than there are',
    ],
    [
      'an exchanged root',
      `UPDATE log_checkpoints SET root = sha256('x'::bytea)`,
      'what was signed is not what the log holds',
    ],
    ['a wrong sum', 'UPDATE draw_counts SET wins = wins + 1', 'the sum of its draws is wrong'],
    [
      'a row that could not be logged',
      `INSERT INTO log_queue (kind, ref, set_aside) VALUES ('stock', 'x', 'damaged')`,
      'damaged',
    ],
    ['a log that cannot be signed', `UPDATE log_keys SET trouble = 'key_changed'`, 'key_changed'],
  ])('is found: %s', async (_what, sql, problem) => {
    expect(await problems()).toEqual([])
    await plant(sql)
    expect(await problems()).toContain(problem)
  })
})
