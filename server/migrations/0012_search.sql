-- Version 1.0: searches by parts of words, in several rooms.

-- Searches look along an index over letters where the database has one; without it they look
-- through the words one by one, which is quick enough for tens of thousands.
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm') THEN
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
    CREATE INDEX people_search_letters ON people_search USING gin (words gin_trgm_ops);
    CREATE INDEX claim_search_letters ON claim_search USING gin (words gin_trgm_ops);
    CREATE INDEX audit_log_letters ON audit_log USING gin (
      lower(action || E'\n' || coalesce(target_id, '') || E'\n' || coalesce(reason, ''))
      gin_trgm_ops);
  END IF;
EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_file THEN
  RAISE NOTICE 'without an index over letters: %', SQLERRM;
END $$;
