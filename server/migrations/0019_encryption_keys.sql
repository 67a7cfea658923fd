-- The encryption keys that have sealed what stands here, each with a known text that it has sealed.
-- A program that lacks one of them is refused, so a mistyped key harms nothing. The mark helps nobody
-- to guess a key: it says no more than any other sealed text.
CREATE TABLE encryption_keys (
  key_id text PRIMARY KEY CHECK (key_id ~ '^[0-9a-f]{16}$'),
  -- Empty for a key that is lost: what it has sealed stays unreadable, and nobody is asked for it.
  mark jsonb,
  recorded_at timestamptz NOT NULL DEFAULT now()
);

-- Which keys are in use has to be known at every start, and there are as many seeds as players.
CREATE INDEX seed_pairs_sealed_by ON seed_pairs ((sealed_server_seed ->> 'keyId'))
  WHERE sealed_server_seed IS NOT NULL;

-- Sealing delivery details anew with another key is no change that a winner made.
CREATE OR REPLACE FUNCTION record_claim_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status <> OLD.status THEN
    INSERT INTO prize_claim_events (prize_claim_id, kind, status, created_at)
    VALUES (NEW.id, 'status', NEW.status, NEW.updated_at);
  END IF;
  IF NEW.contact_info IS DISTINCT FROM OLD.contact_info
    AND coalesce(current_setting('redpack.seals_anew', true), '') <> 'on' THEN
    INSERT INTO prize_claim_events (prize_claim_id, kind, created_at)
    VALUES (NEW.id, CASE WHEN NEW.contact_info IS NULL THEN 'delivery_erased'
      ELSE 'delivery_saved' END, NEW.updated_at);
  END IF;
  RETURN NULL;
END $$;
