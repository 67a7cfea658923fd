-- Whether this database belongs to the sandbox, where anybody may be anybody, or to real people.
-- The first start writes the one row; later starts of the other kind are refused.

CREATE TABLE database_mode (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  is_sandbox boolean NOT NULL,
  recorded_at timestamptz NOT NULL DEFAULT now()
);
