// SQL of what the books hold beside openings.

/** What is not an opening: purchases, watching, chat rewards, a bulk grant, what is to be sent. */
export const otherBooks = `
  INSERT INTO store_pack_listings (pack_type_id, red_coin_price, is_unlimited) VALUES (1, 10, true);
  INSERT INTO store_purchases (user_id, store_pack_listing_id, quantity, unit_price, red_coin_cost)
    SELECT u.id, 1, 1, 10, 10 FROM users u, generate_series(1, 3);
  INSERT INTO red_coin_transactions (user_id, amount, type, balance_after, source_type, source_id)
    SELECT user_id, -10, 'store_purchase', balance - 10 * nth, 'purchase', id::text FROM (
      SELECT p.user_id, p.id, t.balance,
        row_number() OVER (PARTITION BY p.user_id ORDER BY p.id) AS nth
      FROM store_purchases p JOIN bench_people t ON t.id = p.user_id) x ORDER BY x.id;
  INSERT INTO pack_transactions (user_id, pack_type_id, delta, quantity_after, type, source_type,
    source_id)
    SELECT user_id, 1, 1, held + nth, 'purchase', 'purchase', id::text FROM (
      SELECT p.user_id, p.id, t.held,
        row_number() OVER (PARTITION BY p.user_id ORDER BY p.id) AS nth
      FROM store_purchases p JOIN bench_people t ON t.id = p.user_id) x ORDER BY x.id;
  INSERT INTO bulk_batches (id, kind, pack_type_id, actor_id, file_name, file_hash,
    processed_count, failed_count, total, created_at)
    SELECT '00000000-0000-4000-8000-000000000001', 'packs', 1, 1, 'bench', repeat('a', 64),
      count(*), 0, count(*), now() FROM users;
  INSERT INTO bulk_batch_rows (batch_id, row_number, username, user_id, verdict, amount, applied,
    after)
    SELECT '00000000-0000-4000-8000-000000000001', t.id + 1, 'x', t.id, 'ok', 1, 1, t.held + 4
    FROM bench_people t;
  INSERT INTO pack_transactions (user_id, pack_type_id, delta, quantity_after, type, source_type,
    source_id)
    SELECT id, 1, 1, held + 4, 'admin_grant', 'grant', '00000000-0000-4000-8000-000000000001'
    FROM bench_people;
  INSERT INTO user_packs (user_id, pack_type_id, quantity) SELECT id, 1, held + 4 FROM bench_people;
  UPDATE users u SET red_coin_balance = t.balance - 30, total_red_coin_won = t.won
    FROM bench_people t WHERE t.id = u.id;
  INSERT INTO twitch_streams (twitch_channel_id, channel_name, display_name)
    VALUES ('bench', 'bench', 'Bench');
  INSERT INTO viewer_sessions (user_id, stream_id, stream_session_id, total_watch_time, started_at,
    last_active_at)
    SELECT u.id, 1, n::text, 3600, now() - interval '1 hour', now()
    FROM users u, generate_series(1, 10) n;
  INSERT INTO watch_completions (user_id, stream_id, stream_session_id, watch_time_completed,
    required) SELECT u.id, 1, n::text, 3600, 3600 FROM users u, generate_series(1, 5) n;
  INSERT INTO discord_reward_claims (user_id, discord_server_id, message_id, discord_user_id,
    red_coin_amount)
    SELECT u.id, 's', n::text, 'd' || u.id, 0 FROM users u, generate_series(1, 5) n;
  UPDATE prizes p SET inventory_quantity = s.total FROM (
    SELECT ref_id, sum(delta) AS total FROM stock_events WHERE kind = 'prize' GROUP BY 1) s
    WHERE s.ref_id = p.id;
  INSERT INTO shipments (id, state, updated_at)
    SELECT id, 'address_wanted', created_at FROM prize_claims WHERE status = 'pending';
  DROP TABLE bench_people;`

/** Identity columns go on after the ids that were written. */
export const restartSequences = `DO $$ DECLARE item record; BEGIN
  FOR item IN SELECT table_name AS t, column_name AS c FROM information_schema.columns
    WHERE table_schema = 'public' AND is_identity = 'YES'
  LOOP
    EXECUTE format('SELECT setval(pg_get_serial_sequence(%L, %L),
      (SELECT coalesce(max(%I), 0) + 1 FROM %I), false)', item.t, item.c, item.c, item.t);
  END LOOP;
END $$`
