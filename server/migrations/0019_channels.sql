-- Version 1.0: news by push and by Discord besides e-mail, and a sentence of staff for each kind.

ALTER TABLE outbox_messages DROP CONSTRAINT outbox_messages_channel_check;
-- expand: it allows more than the one before, and every row there is stays within it.
ALTER TABLE outbox_messages ADD CONSTRAINT outbox_messages_channel_check
  CHECK (channel IN ('email', 'push', 'discord'));
-- A channel whose far side fails must not hold up the others.
CREATE INDEX outbox_messages_due ON outbox_messages (channel, next_try_at, id)
  WHERE state = 'waiting' AND bundled_into IS NULL;
DROP INDEX outbox_messages_waiting;

ALTER TABLE notification_settings
  ADD COLUMN is_discord_on boolean NOT NULL DEFAULT false,
  -- When Discord refused to carry messages to the person, which switched them off.
  ADD COLUMN discord_refused_at timestamptz,
  -- Streams of which to hear when they go live, for who hears of that at all; null for every one.
  ADD COLUMN live_streams integer[];
CREATE INDEX notification_settings_live ON notification_settings (user_id)
  WHERE preferences ? 'stream_live';

-- A browser that shows news. Whoever knows all of a row can write to it, so it is told to nobody.
CREATE TABLE push_subscriptions (
  -- Names the endpoint without giving it away.
  id text PRIMARY KEY CHECK (id ~ '^[0-9a-f]{32}$'),
  user_id integer NOT NULL REFERENCES users,
  endpoint text NOT NULL,
  p256dh text NOT NULL,
  auth text NOT NULL,
  label text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX push_subscriptions_user ON push_subscriptions (user_id, created_at);

CREATE TABLE outbox_sentences (
  kind text PRIMARY KEY,
  sentence text NOT NULL CHECK (sentence <> ''),
  updated_at timestamptz NOT NULL
);

-- What came back lately is told to its winners.
CREATE INDEX shipments_returned ON shipments (updated_at) WHERE state = 'returned';
