-- Grants to named users and to everyone are batches too: kept with a receipt, reversed as one.
ALTER TABLE bulk_batches
  -- Whom it reached: the rows of a file, users by their names, or everyone. A reversal keeps it.
  ADD COLUMN recipients text NOT NULL DEFAULT 'file'
    CHECK (recipients IN ('file', 'named', 'everyone')),
  -- What staff said about it, and what players read in their history; a file says nothing.
  ADD COLUMN description text;

-- expand: a wider rule than before; what the release before writes keeps to the narrower one.
ALTER TABLE bulk_batches DROP CONSTRAINT bulk_batches_check1;
ALTER TABLE bulk_batches ADD CONSTRAINT bulk_batches_file
  CHECK ((reverses IS NULL AND recipients = 'file') = (file_hash IS NOT NULL));
