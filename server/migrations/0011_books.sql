-- Version 1.0: how far the check of the books has come, and what it has found.

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
  -- What a look at new rows has found stays until a check that was begun later has judged it.
  new_broken_rows integer NOT NULL DEFAULT 0 CHECK (new_broken_rows >= 0),
  is_found_since boolean NOT NULL DEFAULT false,
  -- To be checked from the beginning, whatever the time.
  is_due boolean NOT NULL DEFAULT false,
  CHECK ((checked_at IS NULL) = (broken_rows IS NULL)),
  CHECK ((failing_since IS NULL) = (failures_in_row = 0))
);

-- Up to where the books were looked at for what is new, between two checks of all of them.
CREATE TABLE books_marks (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  -- By history, the id up to which every row was looked at and no transaction can bring another.
  ids jsonb NOT NULL,
  -- The oldest transaction that was under way, with its epoch: states that a later one wrote are new.
  horizon text NOT NULL CHECK (horizon ~ '^[0-9]{1,20}$'),
  -- Where the walk through the public log stands; empty before its first check to the end.
  walk jsonb,
  looked_at timestamptz NOT NULL,
  work_millis integer NOT NULL CHECK (work_millis >= 0),
  -- The transaction that wrote this row. In a restored dump another one did.
  written_by text NOT NULL CHECK (written_by ~ '^[0-9]{1,10}$')
);
