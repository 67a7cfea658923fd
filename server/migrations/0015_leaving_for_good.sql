-- Leaving for good and coming back, sessions that were confirmed, history that cannot be emptied, and
-- names that stay on one line.

-- Whoever was shut out from earning stays shut out under the outside accounts they left with.
ALTER TABLE tombstones ADD COLUMN is_earning_blocked boolean NOT NULL DEFAULT false;

-- Keyed marks of broadcasts that people who have left were paid for. Each stands for one account and
-- one broadcast together, so that the marks of one person cannot be told from those of another.
CREATE TABLE paid_watch_marks (
  mark text PRIMARY KEY CHECK (mark ~ '^[0-9a-f]{64}$'),
  created_at timestamptz NOT NULL
);

-- When the owner of the session was last asked for a code of their second factor, and had it.
ALTER TABLE sessions ADD COLUMN confirmed_at timestamptz;

-- Row triggers do not see TRUNCATE, which would empty a history without a word.
DO $$ DECLARE history text; BEGIN
  FOREACH history IN ARRAY ARRAY['red_coin_transactions', 'pack_transactions', 'stock_events',
    'audit_log', 'opening_requests', 'odds_tables', 'pack_openings', 'pack_openings_archive',
    'log_entries', 'log_subtrees', 'log_requests', 'log_stock_events', 'prize_images',
    'prize_claims', 'prize_claim_events', 'bulk_batches', 'bulk_batch_rows']
  LOOP
    EXECUTE format('CREATE TRIGGER never_emptied BEFORE TRUNCATE ON %I
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_history_change()', history);
  END LOOP;
END $$;

-- Names that came before names had to stand on one line: what breaks the line becomes a space, and
-- marks that hide or turn the text go.
UPDATE users SET
  display_name = coalesce(nullif(btrim(regexp_replace(regexp_replace(display_name,
    '[\u0001-\u001f\u007f-\u009f\u2028\u2029]+', ' ', 'g'),
    '[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]', '', 'g')), ''),
    username)
WHERE display_name ~
  '[\u0001-\u001f\u007f-\u009f\u2028\u2029\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]';
