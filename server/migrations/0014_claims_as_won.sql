-- What was won stays won: a claim keeps its own copy of the prize as it was.

-- Every picture that a prize has had, once, under the hash of its type and its text. The prize's own
-- columns change with it; what stands here never does, so a claim can refer to it for ever.
CREATE TABLE prize_images (
  hash text PRIMARY KEY CHECK (hash ~ '^[0-9a-f]{64}$'),
  image_data text NOT NULL,
  image_type varchar(50),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON prize_images
  FOR EACH ROW EXECUTE FUNCTION refuse_history_change();

-- Written by the trigger alone, whoever writes the picture.
ALTER TABLE prizes ADD COLUMN image_hash text;
CREATE FUNCTION keep_prize_image() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.image_hash := encode(
    sha256(convert_to(coalesce(NEW.image_type, '') || ':' || NEW.image_data, 'UTF8')), 'hex');
  IF NEW.image_hash IS NOT NULL THEN
    INSERT INTO prize_images (hash, image_data, image_type)
    VALUES (NEW.image_hash, NEW.image_data, NEW.image_type)
    ON CONFLICT (hash) DO NOTHING;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_image BEFORE INSERT OR UPDATE OF image_data, image_type, image_hash ON prizes
  FOR EACH ROW EXECUTE FUNCTION keep_prize_image();
UPDATE prizes SET image_hash = NULL WHERE image_data IS NOT NULL;

ALTER TABLE prize_claims
  ADD COLUMN prize_name text,
  -- Above 0 it is a RedCoin prize, else a physical one.
  ADD COLUMN red_coin_amount bigint,
  -- Packs that came with it.
  ADD COLUMN pack_quantity integer,
  -- No foreign key: what it names can neither change nor go, and a win need not check it again.
  ADD COLUMN image_hash text;

-- Prizes may have been edited since: the opening says what was paid, its odds table what it was
-- called, the history of holdings whether packs came with it. Only the picture is that of today.
WITH promised AS MATERIALIZED (
  SELECT t.id AS table_id, (entry ->> 'prizeId')::int AS prize_id, entry ->> 'name' AS name
  FROM odds_tables t, jsonb_array_elements(t.body::jsonb -> 'entries') AS entry
), won AS (
  SELECT c.id, coalesce(e.name, p.name) AS name,
    coalesce(o.red_coin_earned, p.red_coin_amount) AS red_coin_amount, p.image_hash,
    CASE WHEN EXISTS (SELECT FROM pack_transactions t
      WHERE t.source_type = 'opening_request' AND t.source_id = o.request_id::text
        AND t.user_id = c.user_id AND t.type = 'prize_reward' AND t.pack_type_id = p.pack_type_id)
      THEN p.pack_quantity ELSE 0 END AS pack_quantity
  FROM prize_claims c
  JOIN prizes p ON p.id = c.prize_id
  LEFT JOIN all_pack_openings o ON o.id = c.pack_opening_id
  LEFT JOIN opening_requests r ON r.id = o.request_id
  LEFT JOIN promised e ON e.table_id = r.odds_table_id AND e.prize_id = c.prize_id
)
UPDATE prize_claims c SET prize_name = won.name, red_coin_amount = won.red_coin_amount,
  pack_quantity = won.pack_quantity, image_hash = won.image_hash
FROM won WHERE won.id = c.id;

ALTER TABLE prize_claims
  ALTER COLUMN prize_name SET NOT NULL,
  ALTER COLUMN red_coin_amount SET NOT NULL,
  ALTER COLUMN pack_quantity SET NOT NULL,
  ADD CHECK (red_coin_amount BETWEEN 0 AND 9007199254740991),
  ADD CHECK (pack_quantity >= 0);

-- A program from before this migration, running beside newer ones, says nothing about the prize.
CREATE FUNCTION copy_what_was_won() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT p.name, coalesce(o.red_coin_earned, p.red_coin_amount),
    CASE WHEN p.pack_type_id IS NULL THEN 0 ELSE p.pack_quantity END, p.image_hash
  INTO NEW.prize_name, NEW.red_coin_amount, NEW.pack_quantity, NEW.image_hash
  FROM prizes p LEFT JOIN pack_openings o ON o.id = NEW.pack_opening_id
  WHERE p.id = NEW.prize_id;
  RETURN NEW;
END $$;
CREATE TRIGGER copy_what_was_won BEFORE INSERT ON prize_claims
  FOR EACH ROW WHEN (NEW.prize_name IS NULL) EXECUTE FUNCTION copy_what_was_won();
CREATE TRIGGER keep_what_was_won
  BEFORE UPDATE OF prize_name, red_coin_amount, pack_quantity, image_hash ON prize_claims
  FOR EACH ROW EXECUTE FUNCTION refuse_history_change();
