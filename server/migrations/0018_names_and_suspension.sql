-- Version 1.0: which name is shown of somebody, and who is suspended for a time.

-- expand: the new columns hold what the check wants for every row there is.
-- display_name is what everybody sees. While staff show another, own_name has the one that the
-- person goes by, and nothing that the person or Twitch does moves what is shown.
ALTER TABLE users ADD COLUMN own_name text,
  -- A new name has one of the operator's words, and no member of staff has looked at it yet.
  ADD COLUMN is_name_flagged boolean NOT NULL DEFAULT false,
  -- The end of the suspension; 9999-12-31 for one without an end.
  ADD COLUMN suspended_until timestamptz,
  ADD COLUMN suspension_reason text,
  -- What the person has written to staff about it, once.
  ADD COLUMN suspension_answer text,
  ADD CONSTRAINT users_suspension CHECK (
    (suspended_until IS NULL) = (suspension_reason IS NULL)
    AND (suspension_answer IS NULL OR suspended_until IS NOT NULL));
-- Those whom staff look for, a few of all; no change of a balance writes to it.
CREATE INDEX users_looked_at ON users (id)
  WHERE is_name_flagged OR own_name IS NOT NULL OR suspended_until IS NOT NULL;

-- Whoever leaves while suspended still is when they come back.
ALTER TABLE tombstones ADD COLUMN suspended_until timestamptz;

-- Staff find people by both names.
CREATE OR REPLACE FUNCTION keep_people_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO people_search (user_id, words, username, created_at, has_left)
  VALUES (NEW.id,
    lower(concat_ws(E'\n', NEW.username, NEW.display_name, NEW.own_name, NEW.email)), NEW.username,
    NEW.created_at, NEW.deleted_at IS NOT NULL)
  ON CONFLICT (user_id) DO UPDATE SET words = EXCLUDED.words, username = EXCLUDED.username,
    created_at = EXCLUDED.created_at, has_left = EXCLUDED.has_left
  WHERE (people_search.words, people_search.created_at, people_search.has_left)
    IS DISTINCT FROM (EXCLUDED.words, EXCLUDED.created_at, EXCLUDED.has_left);
  RETURN NULL;
END $$;
DROP TRIGGER keep_search ON users;
CREATE TRIGGER keep_search
  AFTER INSERT OR UPDATE OF username, display_name, own_name, email, created_at, deleted_at ON users
  FOR EACH ROW EXECUTE FUNCTION keep_people_search();
