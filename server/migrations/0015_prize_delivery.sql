-- Version 1.0: where a prize is sent, what it is worth, what its winner is asked, and who ships it.

ALTER TABLE prizes
  -- ISO 3166 alpha-2; empty for everywhere.
  ADD COLUMN countries text[] NOT NULL DEFAULT '{}',
  -- {"amount", "currency"} for the winner's papers; null for unknown.
  ADD COLUMN estimated_value jsonb,
  -- [{"kind", "label", "choices"}], three at most.
  ADD COLUMN questions jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_array_length(questions) <= 3),
  -- The member of staff who ships it.
  ADD COLUMN handler_id integer REFERENCES users;

-- As they held on the win.
ALTER TABLE shipments
  ADD COLUMN countries text[] NOT NULL DEFAULT '{}',
  ADD COLUMN estimated_value jsonb,
  ADD COLUMN questions jsonb NOT NULL DEFAULT '[]';

-- expand: one more kind.
ALTER TABLE prize_claim_events DROP CONSTRAINT prize_claim_events_kind_check,
  ADD CONSTRAINT prize_claim_events_kind_check
    CHECK (kind IN ('status', 'delivery_saved', 'delivery_erased', 'deadline_near'));

-- Openings tell what a win comes with: they start over when that has changed since they read it.
-- expand: the same trigger looks at three more columns.
DROP TRIGGER prizes_change_odds ON prizes;
CREATE TRIGGER prizes_change_odds AFTER UPDATE ON prizes FOR EACH ROW
  WHEN ((OLD.name, OLD.description, OLD.claim_instructions, OLD.win_frequency, OLD.total_packs,
      OLD.red_coin_amount, OLD.pack_type_id, OLD.pack_quantity, OLD.is_also_sent, OLD.image_hash,
      OLD.is_active, OLD.archived_at, OLD.inventory_quantity IS NULL, OLD.deadline_days,
      OLD.countries, OLD.estimated_value)
    IS DISTINCT FROM (NEW.name, NEW.description, NEW.claim_instructions, NEW.win_frequency,
      NEW.total_packs, NEW.red_coin_amount, NEW.pack_type_id, NEW.pack_quantity, NEW.is_also_sent,
      NEW.image_hash, NEW.is_active, NEW.archived_at, NEW.inventory_quantity IS NULL,
      NEW.deadline_days, NEW.countries, NEW.estimated_value))
  EXECUTE FUNCTION bump_odds_of_prize();
