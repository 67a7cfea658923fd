-- A claim keeps the description of what was won, as it keeps its name and picture.

ALTER TABLE prize_claims ADD COLUMN prize_description text;
-- What it said at the win is not known; what it says today stays from now on.
UPDATE prize_claims c SET prize_description = p.description FROM prizes p WHERE p.id = c.prize_id;

-- expand: the release before does not know the column, so it is filled in for it, and never written.
CREATE FUNCTION copy_description_won() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT description INTO NEW.prize_description FROM prizes WHERE id = NEW.prize_id;
  RETURN NEW;
END $$;
CREATE TRIGGER copy_description_won BEFORE INSERT ON prize_claims
  FOR EACH ROW WHEN (NEW.prize_description IS NULL) EXECUTE FUNCTION copy_description_won();
ALTER TABLE prize_claims ALTER COLUMN prize_description SET NOT NULL;
CREATE TRIGGER keep_description_won BEFORE UPDATE OF prize_description ON prize_claims
  FOR EACH ROW EXECUTE FUNCTION refuse_history_change();
