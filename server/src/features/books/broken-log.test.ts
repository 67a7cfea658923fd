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
    for (const quantity of [50, null, 4]) {
      await boss.send('POST', `/api/admin/prizes/${cap}/set-inventory`, { quantity })
      await open(5)
    }
    await keepLog(t.deps)
    expect(await found()).toEqual([])
  })

  it('is followed over many batches, tiles and checkpoints', async () => {
    for (let round = 0; round < 3; round += 1) {
      for (let count = 0; count < 90; count += 1) await open(1)
      await keepLog(t.deps)
    }
    expect(await found()).toEqual([])
    await t.plant(`UPDATE log_subtrees SET hash = sha256('x'::bytea) WHERE position = 0`)
    expect(await problems()).toEqual(['the hash of a subtree is wrong'])
  })
})

describe('a corruption', () => {
  const rehash = `UPDATE log_entries
    SET leaf_hash = sha256('\\x00'::bytea || convert_to(body, 'UTF8'))`
  const changeEntry = `UPDATE log_entries SET body = replace(body, '"index":1', '"index":7')`
  const changeBoth = `${changeEntry}; ${rehash}`

  it('is found in the order in which draws took from a stock', async () => {
    await t.prize('Mug', { packTypeIds: [gold], totalPacks: 1, stock: 9 })
    await t.rows('UPDATE prizes SET is_active = false WHERE id = $1', [cap])
    await keepLog(t.deps)
    for (const quantity of [2, 2]) await open(quantity)
    // Two requests that took from one stock, told the other way round.
    await t.plant(`UPDATE log_queue SET ref = other.ref FROM log_queue other WHERE
      log_queue.kind = 'opening' AND other.kind = 'opening' AND log_queue.id <> other.id`)
    await keepLog(t.deps)
    const stock = 'the stock does not follow from the entries before'
    expect(new Set(await problems())).toEqual(new Set([stock]))
  })

  it.each(
    Object.entries({
      'an exchanged first commitment: the commitment of the chain was exchanged': `
        UPDATE draw_chains SET first_commitment = repeat('ab', 32)`,
      'a chain that is gone: there is no such chain':
        'DELETE FROM draw_chains WHERE ended_at IS NOT NULL',
      'an exchanged unused seed: the chain has ended otherwise': `
        UPDATE draw_chains SET end_seed = repeat('cd', 32) WHERE ended_at IS NOT NULL`,
      'an end that was never told: its end is not in the log once': `
        DELETE FROM log_queue; UPDATE draw_chains SET ended_at = now(),
          sealed_seed = NULL, end_seed = repeat('a', 64) WHERE ended_at IS NULL`,
      'exchanged entropy: the opening request is another one': `
        UPDATE opening_requests SET entropy = repeat('a', 64)`,
      'a request that is gone: there is no such opening request': 'DELETE FROM opening_requests',
      'a changed odds table: the odds table is not the one that was hashed': `
        UPDATE odds_tables SET body = replace(body, '"winFrequency":1', '"winFrequency":2')`,
      'a table that was never told: the table is not in the log': `
        INSERT INTO odds_tables (pack_type_id, table_hash, body)
          SELECT pack_type_id, repeat('0', 64), body FROM odds_tables`,
      'a changed opening: the opening request is another one':
        'UPDATE pack_openings SET red_coin_earned = 999',
      'a removed opening: the opening request is another one':
        'DELETE FROM pack_openings WHERE id = (SELECT max(id) FROM pack_openings)',
      'a changed stock history: the change of stock is another one':
        'UPDATE stock_events SET delta = 4',
      'a stock event that was never told: the change is not in the log once': `
        INSERT INTO stock_events (kind, ref_id, delta, quantity_after,
          source_type, source_id) SELECT 'prize', id, 1, 4, 'staff_change', 'x' FROM prizes`,
      'a request that waits although it is logged: it is not in the log once': `
        INSERT INTO log_queue (kind, ref)
          SELECT 'opening', id::text FROM opening_requests`,
      'a request that is in neither place: it is not in the log once': 'DELETE FROM log_requests',
      'a changed entry: its hash is not that of its text': changeEntry,
      'a changed entry with its hash: what was signed is not what the log holds': changeBoth,
      'a request beside such an entry: the opening request is another one': changeBoth,
      'an entry of no kind with its hash: it is of no known type': `
        UPDATE log_entries SET body = '{"type":"note"}' WHERE index = 0; ${rehash}`,
      'a removed entry: entries are missing': 'DELETE FROM log_entries WHERE index = 2',
      'removed entries at the end: more entries were signed than there are':
        'DELETE FROM log_entries WHERE index > 3',
      'an exchanged root: what was signed is not what the log holds': `
        UPDATE log_checkpoints SET root = sha256('x'::bytea)`,
      'a wrong sum: the sum of its draws is wrong': 'UPDATE draw_counts SET wins = wins + 1',
      'a row that could not be logged: damaged': `INSERT INTO log_queue (kind, ref, set_aside)
          VALUES ('stock', 'x', 'damaged')`,
      'a log that cannot be signed: key_changed': `UPDATE log_keys SET trouble = 'key_changed'`,
    }),
  )('is found: %s', async (what, sql) => {
    await t.plant(sql)
    const [, expected = ''] = what.split(': ')
    expect(await problems()).toContain(expected)
  })
})
