// Each invariant is seen to hold on honest books and to fire on a corruption planted for it.

import { beforeEach, describe, expect, it } from 'vitest'
import { purchasePacks } from '../../../test/commands.ts'
import { csvForm } from '../../../test/csv-form.ts'
import { useTestDeps } from '../../../test/deps.ts'
import { openingProcess } from '../../../test/opening.ts'
import { changeBalance, changeHolding } from '../ledger/ledger-tables.ts'
import { allInvariants, runInvariant, runInvariants } from './invariants.ts'

const t = useTestDeps()

/**
 * Books with openings that win and lose, a sold-out prize, a purchase, a watch and a chat reward.
 */
async function honestBooks() {
  const gold = await t.packType('Gold')
  await t.packType('Silver')
  await t.prize('Coins', { packTypeIds: [gold], totalPacks: 3, redCoinAmount: 20 })
  await t.prize('Hoodie', { packTypeIds: [gold], totalPacks: 3, stock: 2 })
  const reward = { rewardPackTypeId: gold, rewardPackQuantity: 2 }
  await t.prize('Packs', { packTypeIds: [gold], totalPacks: 6, ...reward })
  const ana = await t.person('ana', { coins: 500, packs: { [gold]: 30 } })
  t.dice.load([Buffer.alloc(32, 3)])
  await openingProcess(t.deps).open(ana.id, {
    packTypeId: gold,
    quantity: 20,
    idempotencyKey: 'first',
  })
  const listingId = await t.listing(gold, { price: 10, stock: 5 })
  await purchasePacks(t.deps, ana.id, {
    listingId,
    quantity: 2,
    idempotencyKey: undefined,
  })
  await t.db.script(`
    INSERT INTO twitch_streams (twitch_channel_id, channel_name, display_name) VALUES ('c', 'c',
      'C');
    INSERT INTO viewer_sessions (user_id, stream_id, stream_session_id, total_watch_time,
      started_at,
      last_active_at) SELECT ${ana.id}, id, 's', 60, now() - interval '60 s', now()
      FROM twitch_streams;
    INSERT INTO watch_completions (user_id, stream_id, stream_session_id, watch_time_completed,
      required, rewards_given)
      SELECT ${ana.id}, id, 's', 60, 60, '[
        {"packTypeId": null, "packTypeName": null, "packQuantity": 0, "redCoinAmount": 9},
        {"packTypeId": ${gold}, "packTypeName": "Gold", "packQuantity": 2, "redCoinAmount": 1}]'
      FROM twitch_streams;
    INSERT INTO discord_reward_claims (user_id, discord_server_id, message_id, discord_user_id,
      red_coin_amount) VALUES (${ana.id}, 's', 'm', 'd', 25);`)
  const change = { userId: ana.id, description: '', now: t.clock.now() }
  const sourceId = String(await t.value('SELECT id FROM watch_completions'))
  const watched = {
    ...change,
    type: 'watch_reward',
    sourceType: 'watch_completion',
    sourceId,
  } as const
  await changeBalance(t.db, { ...watched, amount: 10 })
  await changeHolding(t.db, { ...watched, packTypeId: gold, delta: 2 })
  const message = { sourceType: 'discord_message', sourceId: 'm' }
  await changeBalance(t.db, { ...change, ...message, amount: 25, type: 'discord_reward' })
  const boss = await t.person('boss', { role: 'admin' })
  const file = csvForm('username,amount\nana,4\nzoe,1')
  const send = (url: string) => boss.send('POST', url, file.payload, file.headers)
  const { batchId } = (await send('/api/admin/bulk-distribute-redcoin')).json()
  await boss.send('POST', `/api/admin/batches/${batchId}/reverse`)
}

/** Lets a corruption past the triggers and constraints that would refuse it. */
const past = (sql: string, constraints = '') => `
  SET session_replication_role = replica; ${constraints} ${sql};
  SET session_replication_role = origin;`

/** One corruption per invariant; others may notice it as well. */
const corruptions: Readonly<Record<string, string>> = {
  I1: 'UPDATE users SET red_coin_balance = red_coin_balance + 1',
  I2: past(
    'UPDATE users SET red_coin_balance = -1',
    'ALTER TABLE users DROP CONSTRAINT users_red_coin_balance_check;',
  ),
  I3: past('UPDATE red_coin_transactions SET balance_after = balance_after + 1'),
  I4: 'UPDATE user_packs SET quantity = quantity + 1',
  I5: past(
    'INSERT INTO user_packs (user_id, pack_type_id) SELECT user_id, pack_type_id FROM user_packs',
    'ALTER TABLE user_packs DROP CONSTRAINT user_packs_user_id_pack_type_id_key;',
  ),
  I6: past('DELETE FROM pack_openings WHERE id = (SELECT max(id) FROM pack_openings)'),
  I7: 'DELETE FROM prize_claims WHERE id = (SELECT max(id) FROM prize_claims)',
  I8: past(`UPDATE red_coin_transactions SET amount = amount + 1 WHERE type = 'pack_consolation'`),
  I9: past('UPDATE prize_claims SET claim_id = NULL WHERE id = (SELECT max(id) FROM prize_claims)'),
  I10: 'UPDATE prizes SET inventory_quantity = 1 WHERE inventory_quantity IS NOT NULL',
  I11: past(`UPDATE stock_events SET delta = delta - 1 WHERE source_type = 'claim'`),
  I12: 'UPDATE store_pack_listings SET quantity_available = 4',
  I13: past(`DELETE FROM pack_transactions WHERE source_type = 'purchase'`),
  I14: past(
    `INSERT INTO red_coin_transactions (user_id, amount, type, balance_after, source_type,
       source_id)
     SELECT user_id, 1, 'admin_grant', 1, source_type, source_id FROM red_coin_transactions`,
    'ALTER TABLE red_coin_transactions DROP CONSTRAINT red_coin_transactions_source_type_source_id_user_id_key;',
  ),
  I15: 'UPDATE watch_completions SET watch_time_completed = 59',
  I16: 'UPDATE viewer_sessions SET total_watch_time = 600',
  I17: past(
    `INSERT INTO discord_reward_claims (user_id, discord_server_id, message_id, discord_user_id,
       red_coin_amount) SELECT user_id, 's', 'm', 'd', 0 FROM discord_reward_claims`,
    `ALTER TABLE discord_reward_claims DROP CONSTRAINT discord_reward_claims_message_id_user_id_key;
     ALTER TABLE discord_reward_claims
       DROP CONSTRAINT discord_reward_claims_message_id_discord_user_id_key;`,
  ),
  I18: `UPDATE idempotency_keys SET status = NULL, created_at = now() - interval '10 minutes'`,
  I19: 'UPDATE draw_chains SET index = index + 1',
  I20: `UPDATE prize_claims SET status = 'processing'`,
  I21: `UPDATE users SET is_protected = true WHERE role = 'user'`,
  I22: 'UPDATE users SET total_red_coin_won = total_red_coin_won + 1',
  I23: past('UPDATE pack_openings SET red_coin_earned = red_coin_earned + 1'),
  I24: past(`UPDATE odds_tables SET body = body || ' '`),
  I25: `UPDATE draw_chains SET sealed_seed = sealed_seed || '{"tag":"AAAA"}'`,
  I26: past('UPDATE pack_openings SET prize_id = NULL, sold_out_prize_id = NULL'),
  I27: 'DELETE FROM log_queue',
  I28: past('UPDATE bulk_batch_rows SET user_id = user_id + 1 WHERE applied > 0'),
  I29: past('UPDATE bulk_batch_rows SET applied = -5 WHERE applied < 0'),
  I30: past('UPDATE prize_claims SET red_coin_amount = 0 WHERE red_coin_amount > 0'),
  I31: `UPDATE shipments SET state = 'packed'`,
  I32: `INSERT INTO prize_codes (prize_id, sealed, mark, created_at)
      SELECT id, '{}', 'unused', now() FROM prizes WHERE name = 'Hoodie';
    UPDATE prizes SET delivers_codes = true WHERE name = 'Hoodie'`,
}

/** A claim that staff would send something for, of this opening. */
const claimOf = (opening: string) => `INSERT INTO prize_claims (user_id, prize_id, claim_id,
    pack_opening_id, prize_name, prize_description, red_coin_amount, pack_quantity)
  SELECT user_id, prize_id, 'PR-FORGED01', ${opening}, prize_name, '', 0, 0
  FROM prize_claims WHERE prize_name = 'Hoodie' LIMIT 1`

/** Rows of each kind as they were booked, whose sources are not there. */
const unsourced = (table: string, kinds: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(kinds).flatMap(([type, source]) =>
      [`source_id = '0' || source_id`, `source_type = 'grant'`, `user_id = user_id + 1`].map(
        (change, at) => [
          `I14 for ${type} of ${table.split('_')[0]} (${at})`,
          past(
            `UPDATE ${table} SET ${change} WHERE type = '${type}' AND source_type = '${source}'`,
          ),
        ],
      ),
    ),
  )

/** Other corruptions that an invariant of several parts must notice. */
const further: Readonly<Record<string, string>> = {
  'I7 for a claim of no opening': past(
    'UPDATE prize_claims SET pack_opening_id = NULL WHERE id = (SELECT max(id) FROM prize_claims)',
  ),
  'I7 for a claim to what nobody drew': `${claimOf('NULL')}; INSERT INTO shipments (id, state,
    updated_at) SELECT max(id), 'ready', now() FROM prize_claims`,
  'I7 for a claim of an opening that is not there': claimOf('999999'),
  'I7 for a claim of a pack that lost': claimOf(
    '(SELECT min(id) FROM pack_openings WHERE prize_id IS NULL)',
  ),
  ...unsourced('red_coin_transactions', {
    store_purchase: 'purchase',
    watch_reward: 'watch_completion',
    discord_reward: 'discord_message',
  }),
  ...unsourced('pack_transactions', {
    purchase: 'purchase',
    watch_reward: 'watch_completion',
    prize_reward: 'opening_request',
  }),
  'I15 for RedCoin that was never booked': past(
    `DELETE FROM red_coin_transactions WHERE type = 'watch_reward'`,
  ),
  'I15 for packs that it does not name': past(
    `UPDATE pack_transactions SET delta = 3 WHERE type = 'watch_reward'`,
  ),
  'I15 for RedCoin of another kind': past(
    `UPDATE red_coin_transactions SET type = 'admin_grant', amount = 11 WHERE type = 'watch_reward'`,
  ),
  'I17 for RedCoin that was never booked': past(
    `DELETE FROM red_coin_transactions WHERE type = 'discord_reward'`,
  ),
  'I17 for another amount': past('UPDATE discord_reward_claims SET red_coin_amount = 26'),
  'I23 for packs that no prize pays': past(
    `UPDATE pack_transactions SET delta = 1000 WHERE type = 'prize_reward'`,
  ),
  'I23 for packs that were never booked': past(
    `DELETE FROM pack_transactions WHERE type = 'prize_reward'`,
  ),
  'I23 for packs of a request that won none': past(
    `INSERT INTO pack_transactions (user_id, pack_type_id, delta, quantity_after, type, source_type,
       source_id) SELECT user_id, (SELECT id FROM pack_types WHERE name = 'Silver'), 9, 9,
       'prize_reward', 'opening_request', id::text FROM opening_requests`,
  ),
  'I30 for packs': past('UPDATE prize_claims SET pack_quantity = 9 WHERE pack_quantity > 0'),
  'I19 for a seed that hashes to another commitment': past(
    `UPDATE opening_requests SET server_seed = repeat('0', 64)`,
  ),
  'I19 for a commitment that was exchanged': past(
    `UPDATE draw_chains SET commitment = repeat('0', 64), first_commitment = repeat('0', 64)`,
  ),
  'I19 for a pack that is gone': past('DELETE FROM pack_openings WHERE position = 0'),
  'I26 for entropy that was changed': past(`UPDATE opening_requests SET entropy = repeat('0', 64)`),
  'I32 for a code of nobody': `INSERT INTO prize_codes (prize_id, sealed, mark, prize_claim_id,
      assigned_at, created_at) SELECT prize_id, '{}', 'mark', id, now(), now() FROM prize_claims
    WHERE status <> 'completed' LIMIT 1`,
  'I32 for a win that was given nothing': 'DELETE FROM shipments',
  'I31 for a win that is not sent': 'DELETE FROM shipments',
  'I31 for stock that nobody gave back': `INSERT INTO stock_events (kind, ref_id, delta,
      quantity_after, source_type, source_id) SELECT 'prize', id, 1, 1, 'shipment', '1' FROM prizes`,
  'I30 for a name': past(`UPDATE prize_claims SET prize_name = 'Other'`),
  'I30 for a picture': past(`UPDATE prize_claims SET image_hash = repeat('0', 64)`),
}

describe('the books', () => {
  beforeEach(honestBooks)

  it('hold on honest work', async () => {
    await t.expectTrueBooks()
    const [seen] = await t.rows<{ wins: number; sold_out: number; lost: number }>(
      `SELECT count(prize_id)::int AS wins, count(sold_out_prize_id)::int AS sold_out,
         (count(*) FILTER (WHERE prize_id IS NULL AND sold_out_prize_id IS NULL))::int AS lost
       FROM pack_openings`,
    )
    expect(Math.min(seen!.wins, seen!.sold_out, seen!.lost)).toBeGreaterThan(0)
  })

  it('are checked by exactly the invariants that have a corruption below', async () => {
    const ids = (await runInvariants(t.db, t.seeds)).map(({ id }) => id)
    expect(ids.toSorted()).toEqual(Object.keys(corruptions).toSorted())
  })

  it('fire each on the corruption planted for it', async () => {
    const rules = new Map(allInvariants(t.seeds).map((rule) => [rule.id, rule]))
    const silent: string[] = []
    for (const [what, sql] of Object.entries({ ...corruptions, ...further })) {
      const rule = rules.get(what.split(' ')[0]!)!
      // The books are as before, their schema as well, when the transaction is undone.
      const undone = t.db.transaction(async (tx) => {
        const parts = sql.split(';').filter((text) => text.trim() !== '')
        for (const [at, text] of parts.entries()) {
          await tx.run({ name: `plant_${at}_${what.replaceAll(/\W/g, '_')}`, text }, [])
        }
        if ((await runInvariant(tx, rule)).rows.length === 0) silent.push(what)
        throw new Error('undone')
      })
      await expect(undone, what).rejects.toThrow('undone')
    }
    expect(silent).toEqual([])
  })
})
