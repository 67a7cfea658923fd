// New rows that break the books, one or more for each rule, as SQL.

/** A request that nothing was drawn for, far beyond the others of its chain. */
const bareRequest = `INSERT INTO opening_requests (id, user_id, pack_type_id,
      chain_id, chain_index, server_seed, entropy, entropy_from, next_commitment, odds_table_id,
      quantity, consolation_red_coin, created_at)
    SELECT gen_random_uuid(), user_id, pack_type_id, chain_id, 5000, server_seed, entropy,
      entropy_from, next_commitment, odds_table_id, 1, consolation_red_coin,
      (SELECT max(created_at) FROM opening_requests)
    FROM opening_requests LIMIT 1`

/** RedCoin of a source that is not there, with a balance that agrees. */
const forgedCoins = (type: string, source: string) => `INSERT INTO red_coin_transactions (user_id,
      amount, type, balance_after, source_type, source_id)
    SELECT id, 900, '${type}', red_coin_balance + 900, '${source}', '77' FROM users;
    UPDATE users SET red_coin_balance = red_coin_balance + 900`

/** The same of packs, of any source. */
const forgedPacks = (type: string, source: string, id: string) => `INSERT INTO pack_transactions
      (user_id, pack_type_id, delta, quantity_after, type, source_type, source_id)
    SELECT user_id, pack_type_id, 1000, quantity + 1000, '${type}', '${source}', ${id}
    FROM user_packs;
    UPDATE user_packs SET quantity = quantity + 1000`

/** Rows as an attacker with the password of the database writes them, past every trigger. */
export const forgedRows: Readonly<Record<string, string>> = {
  'I1 coins without history': 'UPDATE users SET red_coin_balance = red_coin_balance + 1000',
  'I1 history without coins': `INSERT INTO red_coin_transactions (user_id, amount, type,
      balance_after, source_type, source_id)
    SELECT id, 5, 'admin_grant', red_coin_balance + 5, 'grant', 'x' FROM users`,
  'I2 a balance over all limits': `ALTER TABLE users DROP CONSTRAINT users_red_coin_balance_check;
    UPDATE users SET red_coin_balance = 9007199254740992`,
  'I3 a row with another balance': `INSERT INTO red_coin_transactions (user_id, amount, type,
      balance_after, source_type, source_id)
    SELECT id, 5, 'admin_grant', red_coin_balance, 'grant', 'x' FROM users;
    UPDATE users SET red_coin_balance = red_coin_balance + 5`,
  'I4 packs without history': 'UPDATE user_packs SET quantity = quantity + 100',
  'I4 history without packs': `INSERT INTO pack_transactions (user_id, pack_type_id, delta,
      quantity_after, type, source_type, source_id)
    SELECT user_id, pack_type_id, 5, 5, 'admin_grant', 'grant', 'x' FROM user_packs`,
  'I6 an opening without a pack': `INSERT INTO pack_openings (request_id, user_id, pack_type_id,
      red_coin_earned, position)
    SELECT request_id, user_id, pack_type_id, 0, 99 FROM pack_openings LIMIT 1`,
  'I7 a win without a claim': `INSERT INTO pack_openings (request_id, user_id, pack_type_id,
      prize_id, red_coin_earned, position, stock_after)
    SELECT request_id, user_id, pack_type_id, (SELECT min(id) FROM prizes), 0, 99, 9
    FROM pack_openings LIMIT 1`,
  'I7 a claim on a win that has one': `ALTER TABLE prize_claims
      DROP CONSTRAINT prize_claims_pack_opening_id_key;
    INSERT INTO prize_claims (user_id, prize_id, claim_id, pack_opening_id, prize_name,
      prize_description, red_coin_amount, pack_quantity)
    SELECT user_id, prize_id, 'PR-FORGED01', pack_opening_id, prize_name, '', red_coin_amount, 0
    FROM prize_claims LIMIT 1`,
  'I7 a claim to what nobody drew': `INSERT INTO prize_claims (user_id, prize_id, claim_id,
      prize_name, prize_description, red_coin_amount, pack_quantity)
    SELECT user_id, prize_id, 'PR-FORGED01', prize_name, '', 0, 0 FROM prize_claims LIMIT 1;
    INSERT INTO shipments (id, state, updated_at)
    SELECT max(id), 'ready', now() FROM prize_claims`,
  'I8 a win that nothing earned': `INSERT INTO red_coin_transactions (user_id, amount, type,
      balance_after, source_type, source_id)
    SELECT id, 5, 'prize_win', red_coin_balance + 5, 'opening', '77' FROM users;
    UPDATE users SET red_coin_balance = red_coin_balance + 5,
      total_red_coin_won = total_red_coin_won + 5`,
  'I8 a consolation paid twice': `ALTER TABLE red_coin_transactions DROP CONSTRAINT
      red_coin_transactions_source_type_source_id_user_id_key;
    INSERT INTO red_coin_transactions (user_id, amount, type, balance_after, source_type,
      source_id) SELECT user_id, 5, type, 5, source_type, source_id FROM red_coin_transactions
    WHERE type = 'pack_consolation' OR type = 'prize_win' LIMIT 1`,
  'I8 a request without openings': bareRequest,
  'I9 a claim of an opening without an id': `INSERT INTO prize_claims (user_id, prize_id,
      pack_opening_id, prize_name, prize_description, red_coin_amount, pack_quantity)
    SELECT user_id, prize_id, 999999, prize_name, '', 0, 0 FROM prize_claims LIMIT 1`,
  'I10 stock without history': 'UPDATE prizes SET inventory_quantity = inventory_quantity + 9',
  'I11 stock that left for nobody': `INSERT INTO stock_events (kind, ref_id, delta, quantity_after,
      source_type, source_id)
    SELECT 'prize', id, -1, 3, 'claim', gen_random_uuid()::text FROM prizes`,
  'I11 stock below nothing': `INSERT INTO stock_events (kind, ref_id, delta, quantity_after,
      source_type, source_id) SELECT 'prize', id, -999, 0, 'staff_change', 'x' FROM prizes`,
  'I12 stock of a listing without history': `INSERT INTO store_pack_listings (pack_type_id,
      red_coin_price, quantity_available) SELECT id, 10, 5 FROM pack_types`,
  'I13 a purchase that nobody paid': `INSERT INTO store_purchases (user_id, store_pack_listing_id,
      quantity, unit_price, red_coin_cost) SELECT id, 1, 1, 10, 10 FROM users`,
  'I14 a source that pays twice': `ALTER TABLE red_coin_transactions DROP CONSTRAINT
      red_coin_transactions_source_type_source_id_user_id_key;
    INSERT INTO red_coin_transactions (user_id, amount, type, balance_after, source_type,
      source_id) SELECT user_id, 5, type, 5, source_type, source_id FROM red_coin_transactions`,
  'I14 RedCoin for watching that nobody did': forgedCoins('watch_reward', 'watch_completion'),
  'I14 RedCoin of a message that nobody claimed': forgedCoins('discord_reward', 'discord_message'),
  'I14 packs that nobody bought': forgedPacks('purchase', 'purchase', "'77'"),
  'I14 packs for watching that nobody did': forgedPacks('watch_reward', 'watch_completion', "'77'"),
  'I14 packs of a request that is not there': forgedPacks(
    'prize_reward',
    'opening_request',
    'gen_random_uuid()::text',
  ),
  'I15 a completion that paid nothing of what it says': `INSERT INTO watch_completions (user_id,
      stream_id, stream_session_id, watch_time_completed, required, rewards_given)
    SELECT id, 1, 'x', 60, 60, '[{"packTypeId": null, "packQuantity": 0, "redCoinAmount": 900}]'
    FROM users`,
  'I15 a completion too early': `INSERT INTO watch_completions (user_id, stream_id,
      stream_session_id, watch_time_completed, required) SELECT id, 1, 'x', 1, 60 FROM users`,
  'I16 more time than the clock has': `INSERT INTO viewer_sessions (user_id, stream_id,
      stream_session_id, total_watch_time, started_at, last_active_at)
    SELECT id, 1, 'x', 4000, now(), now() FROM users`,
  'I17 a message paid twice': `ALTER TABLE discord_reward_claims
      DROP CONSTRAINT discord_reward_claims_message_id_user_id_key;
    INSERT INTO discord_reward_claims (user_id, discord_server_id, message_id, discord_user_id,
      red_coin_amount) SELECT id, 's', 'm', d, 0 FROM users, unnest(ARRAY['a', 'b']) d`,
  'I17 a claim that says more than it paid': `INSERT INTO discord_reward_claims (user_id,
      discord_server_id, message_id, discord_user_id, red_coin_amount)
    SELECT id, 's', 'm', id::text, 900 FROM users`,
  'I18 a key without an answer': `INSERT INTO idempotency_keys (user_id, route, key, input_hash,
      created_at) SELECT id, 'x', 'x', 'x', now() - interval '6 minutes' FROM users`,
  'I19 an opening beyond the end of its chain': bareRequest,
  'I20 a claim that paid and waits': `ALTER TABLE prize_claims
      DROP CONSTRAINT prize_claims_pack_opening_id_key;
    INSERT INTO prize_claims (user_id, prize_id, claim_id, status, pack_opening_id, prize_name,
      prize_description, red_coin_amount, pack_quantity)
    SELECT user_id, prize_id, 'PR-FORGED01', 'pending', pack_opening_id, prize_name, '', 7, 0
    FROM prize_claims WHERE red_coin_amount = 7 LIMIT 1`,
  'I21 a second protected account': `UPDATE users SET is_protected = true`,
  'I22 more won than was paid': 'UPDATE users SET total_red_coin_won = total_red_coin_won + 1',
  'I23 a pack that earned too much': `INSERT INTO pack_openings (request_id, user_id, pack_type_id,
      red_coin_earned, position)
    SELECT request_id, user_id, pack_type_id, 999999, 99 FROM pack_openings LIMIT 1`,
  'I23 packs that no prize pays': forgedPacks(
    'prize_reward',
    'opening_request',
    '(SELECT min(id::text) FROM opening_requests)',
  ),
  'I24 a table under another name': `INSERT INTO odds_tables (pack_type_id, table_hash, body)
    SELECT pack_type_id, repeat('0', 64), body FROM odds_tables`,
  'I19 a commitment that was exchanged between two openings': `UPDATE draw_chains
    SET commitment = repeat('b', 64) WHERE index > 0`,
  'I25 a seed that was not committed to': `INSERT INTO draw_chains (user_id, day, first_commitment,
      commitment, created_at, ended_at, end_seed)
    SELECT id, '2020-01-01', repeat('b', 64), repeat('b', 64), now(), now(), repeat('a', 64)
    FROM users`,
  'I26 a draw that its seed does not give': `INSERT INTO pack_openings (request_id, user_id,
      pack_type_id, red_coin_earned, position)
    SELECT request_id, user_id, pack_type_id, 0, 99 FROM pack_openings LIMIT 1`,
  'I27 a request that is not logged': bareRequest,
  'I27 an entry that nothing stands behind': `INSERT INTO log_entries (index, body, leaf_hash)
    SELECT max(index) + 1, '{"type":"note"}', sha256('\\000{"type":"note"}'::bytea)
    FROM log_entries`,
  'I27 stock that was not logged': `INSERT INTO stock_events (kind, ref_id, delta, quantity_after,
      source_type, source_id) SELECT 'prize', id, 1, 9, 'staff_change', 'x' FROM prizes`,
  'I27 sums of draws that are others': 'UPDATE draw_counts SET wins = wins + 1',
  'I27 entries that are gone': `DELETE FROM log_entries WHERE index > 1`,
  'I28 a batch that booked nothing': `INSERT INTO bulk_batches (id, kind, actor_id, file_name,
      file_hash, processed_count, failed_count, total, created_at)
    SELECT gen_random_uuid(), 'redcoin', id, 'f', repeat('a', 64), 1, 0, 5, now()
    FROM users LIMIT 1;
    INSERT INTO bulk_batch_rows (batch_id, row_number, username, user_id, verdict, amount, applied,
      after) SELECT b.id, 2, 'x', b.actor_id, 'ok', 5, 5, 5 FROM bulk_batches b`,
  'I29 a batch that does not add up': `INSERT INTO bulk_batches (id, kind, actor_id, file_name,
      file_hash, processed_count, failed_count, total, created_at)
    SELECT gen_random_uuid(), 'redcoin', id, 'f', repeat('a', 64), 1, 0, 5, now()
    FROM users LIMIT 1`,
  'I31 a shipment that says another status': `UPDATE shipments SET state = 'returned'`,
  'I31 stock that nobody gave back': `INSERT INTO stock_events (kind, ref_id, delta, quantity_after,
      source_type, source_id) SELECT 'prize', id, 1, 1, 'shipment', '1' FROM prizes`,
  'I30 a claim to packs that its table does not pay': `ALTER TABLE prize_claims
      DROP CONSTRAINT prize_claims_pack_opening_id_key;
    INSERT INTO prize_claims (user_id, prize_id, claim_id, pack_opening_id, prize_name,
      prize_description, red_coin_amount, status, pack_quantity)
    SELECT user_id, prize_id, 'PR-FORGED01', pack_opening_id, prize_name, '', red_coin_amount,
      status, 1000 FROM prize_claims LIMIT 1`,
  'I30 a claim under another name': `ALTER TABLE prize_claims
      DROP CONSTRAINT prize_claims_pack_opening_id_key;
    INSERT INTO prize_claims (user_id, prize_id, claim_id, pack_opening_id, prize_name,
      prize_description, red_coin_amount, status, pack_quantity)
    SELECT user_id, prize_id, 'PR-FORGED01', pack_opening_id, 'A car', '', red_coin_amount, status, 0
    FROM prize_claims LIMIT 1`,
}
