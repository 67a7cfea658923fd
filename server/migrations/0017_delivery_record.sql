-- Version 1.0: the public delivery record: how far each shipment has come stands in the public log.
-- expand: one kind of entry more may wait.

ALTER TABLE log_queue DROP CONSTRAINT log_queue_kind_check,
  ADD CONSTRAINT log_queue_kind_check
    CHECK (kind IN ('table', 'stock', 'opening', 'end', 'shipment'));
CREATE INDEX log_queue_shipments ON log_queue (ref) WHERE kind = 'shipment';
-- From an opening request to the steps of what it won.
CREATE INDEX log_entries_shipments
  ON log_entries ((substring(body from '"opening":"([^"]+)"')))
  WHERE body LIKE '{"type":"shipment",%';

-- The deadline at the win, which the log tells with the win.
ALTER TABLE shipments ADD COLUMN won_deadline timestamptz;

-- How many shipments in the log are equally far, by one deadline where they still wait, and were
-- sent in as many days.
CREATE TABLE delivery_counts (
  step text NOT NULL,
  due date,
  days integer,
  shipments bigint NOT NULL,
  UNIQUE NULLS NOT DISTINCT (step, due, days)
);

CREATE FUNCTION public_step(state text) RETURNS text IMMUTABLE LANGUAGE sql
  RETURN CASE state WHEN 'address_wanted' THEN 'wanted' WHEN 'packed' THEN 'ready' ELSE state END;
CREATE FUNCTION utc_day(moment timestamptz) RETURNS text STABLE LANGUAGE sql
  RETURN to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD');

-- Queues a step of a claim's shipment. Its place among the steps is that of the lock of the claim.
CREATE FUNCTION queue_step(claim integer, name text, step text, day text, due text) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO log_queue (kind, ref, body)
  SELECT 'shipment', name, '{"type":"shipment","opening":"' || o.request_id || '","position":'
    || o.position || ',"step":"' || step || '","day":"' || day || '","due":'
    || coalesce('"' || due || '"', 'null') || '}'
  FROM prize_claims c JOIN all_pack_openings o ON o.id = c.pack_opening_id WHERE c.id = claim
$$;

-- A win is told with its opening, and what happens to a deleted claim when it is restored. Days do
-- not go back where the clocks of two processes differ.
CREATE FUNCTION queue_shipment_for_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM prize_claims WHERE id = NEW.id AND deleted_at IS NOT NULL) THEN
    PERFORM queue_step(NEW.id, NEW.id::text, public_step(NEW.state),
      utc_day(greatest(OLD.updated_at, NEW.updated_at)), utc_day(NEW.deadline));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER queue_for_log AFTER UPDATE OF state, deadline ON shipments
  FOR EACH ROW WHEN (public_step(OLD.state) <> public_step(NEW.state)
    OR utc_day(OLD.deadline) IS DISTINCT FROM utc_day(NEW.deadline))
  EXECUTE FUNCTION queue_shipment_for_log();
CREATE FUNCTION queue_deletion_for_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM queue_step(id, 'claim ' || id,
    CASE WHEN NEW.deleted_at IS NULL THEN public_step(state) ELSE 'withdrawn' END,
    utc_day(greatest(updated_at, OLD.updated_at, NEW.updated_at)), utc_day(deadline))
  FROM shipments WHERE id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER queue_for_log AFTER UPDATE OF deleted_at ON prize_claims
  FOR EACH ROW WHEN (NEW.red_coin_amount = 0
    AND (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL))
  EXECUTE FUNCTION queue_deletion_for_log();

-- What a winner gives up goes back into stock together with its step.
DROP TRIGGER queue_for_log ON stock_events;
CREATE TRIGGER queue_for_log AFTER INSERT ON stock_events
  FOR EACH ROW WHEN (NEW.kind = 'prize' AND NEW.source_type NOT IN ('claim', 'shipment'))
  EXECUTE FUNCTION queue_for_log('stock');
