-- What the check of the books has found, and how far it has come: any process can go on with it.

-- One row per invariant. Times are by the clock of the program.
CREATE TABLE books_checks (
  invariant text PRIMARY KEY,
  -- The last check that came to its end; empty before the first.
  checked_at timestamptz,
  broken_rows integer CHECK (broken_rows >= 0),
  -- What it worked, its pauses left out.
  work_millis integer CHECK (work_millis >= 0),
  -- The check under way. Whoever put its mark here last works on it.
  started_at timestamptz,
  runner uuid,
  progress jsonb,
  broken_so_far integer NOT NULL DEFAULT 0 CHECK (broken_so_far >= 0),
  millis_so_far integer NOT NULL DEFAULT 0 CHECK (millis_so_far >= 0),
  -- Since when it cannot be checked, and why.
  failing_since timestamptz,
  failed_at timestamptz,
  failure text,
  failures_in_row integer NOT NULL DEFAULT 0 CHECK (failures_in_row >= 0),
  CHECK ((checked_at IS NULL) = (broken_rows IS NULL)),
  CHECK ((failing_since IS NULL) = (failures_in_row = 0))
);

-- Since when there is something to check, and when the operator was told that it was not checked.
CREATE TABLE books_alarm (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  since timestamptz NOT NULL,
  told_at timestamptz
);
INSERT INTO books_alarm (since) VALUES (now());

-- From a seed pair and an odds table to their entries; there are few of either kind.
CREATE INDEX log_entries_reveals
  ON log_entries ((substring(body from '"pairId":([0-9]{1,18}),')::bigint))
  WHERE body LIKE '{"type":"reveal",%';
CREATE INDEX log_entries_tables
  ON log_entries ((substring(body from '"tableHash":"([0-9a-f]{64})"')))
  WHERE body LIKE '{"type":"table",%';
-- Those of the first log, which were all there from the beginning of this one.
CREATE INDEX log_requests_carried ON log_requests (request_id) WHERE is_carried;
