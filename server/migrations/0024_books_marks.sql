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

-- expand: what a look at new rows has found stays until a check that was begun later has judged it.
ALTER TABLE books_checks
  ADD COLUMN new_broken_rows integer NOT NULL DEFAULT 0 CHECK (new_broken_rows >= 0),
  ADD COLUMN is_found_since boolean NOT NULL DEFAULT false,
  -- To be checked from the beginning, whatever the time.
  ADD COLUMN is_due boolean NOT NULL DEFAULT false;
