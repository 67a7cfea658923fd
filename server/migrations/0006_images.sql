-- Pictures that staff uploaded, and what a deleted prize or pack type needs to come back as it was.

CREATE TABLE images (
  -- SHA-256 of the bytes. It is the picture's name, so one picture is stored once.
  hash text PRIMARY KEY CHECK (hash ~ '^[0-9a-f]{64}$'),
  type text NOT NULL CHECK (type LIKE 'image/%'),
  -- Null when the bytes stand in a bucket.
  bytes bytea,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- The assignments that went with the deletion; null while the row is not deleted.
ALTER TABLE prizes ADD COLUMN archived_pack_type_ids integer[];
ALTER TABLE pack_types ADD COLUMN archived_prize_ids integer[];

-- Sources and sinks per day: a block range index costs a spending next to nothing.
CREATE INDEX red_coin_transactions_created ON red_coin_transactions USING brin (created_at);
CREATE INDEX opening_requests_created ON opening_requests USING brin (created_at);
