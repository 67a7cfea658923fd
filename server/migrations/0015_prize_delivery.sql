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

ALTER TABLE prize_claim_events DROP CONSTRAINT prize_claim_events_kind_check,
  ADD CONSTRAINT prize_claim_events_kind_check
    CHECK (kind IN ('status', 'delivery_saved', 'delivery_erased', 'deadline_near'));

-- Openings tell what a win comes with: they start over when that has changed since they read it.
CREATE TRIGGER prizes_change_delivery AFTER UPDATE ON prizes FOR EACH ROW
  WHEN ((OLD.deadline_days, OLD.countries, OLD.estimated_value)
    IS DISTINCT FROM (NEW.deadline_days, NEW.countries, NEW.estimated_value))
  EXECUTE FUNCTION bump_odds_of_prize();
