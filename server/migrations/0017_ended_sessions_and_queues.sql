-- Sessions whose end every process hears of, and figures of queues that are read without a scan.

-- Sessions that ended in the last hour. Events tell other processes of an end sooner, and may be lost;
-- these rows are written with the end itself, whoever caused it, so a look at the newest of them
-- misses none. What it costs depends on how many sessions end, not on how many are open.
CREATE TABLE ended_sessions (
  token_hash text PRIMARY KEY,
  ended_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX ended_sessions_time ON ended_sessions (ended_at);

CREATE FUNCTION note_ended_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ended_sessions (token_hash) SELECT token_hash FROM gone
    ON CONFLICT (token_hash) DO UPDATE SET ended_at = EXCLUDED.ended_at;
  RETURN NULL;
END $$;
CREATE TRIGGER note_ended AFTER DELETE ON sessions REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION note_ended_sessions();

-- Since when an event waits for the log. What waits already counts from now.
ALTER TABLE log_queue ADD COLUMN queued_at timestamptz NOT NULL DEFAULT now();

CREATE INDEX chat_messages_waiting ON chat_messages (created_at) WHERE state = 'waiting';
CREATE INDEX log_queue_set_aside ON log_queue (id) WHERE set_aside IS NOT NULL;
