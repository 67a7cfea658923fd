-- Version 1.0: what the bots say in chats and post to Discord waits in the outbox like news.
-- contract: the queues of the bots are gone, with what waited in them.

-- A withdrawal that Discord tells late ends no link that was made after it.
ALTER TABLE users ADD COLUMN discord_linked_at timestamptz;

ALTER TABLE outbox_messages DROP CONSTRAINT outbox_messages_channel_check;
ALTER TABLE outbox_messages
  ALTER COLUMN user_id DROP NOT NULL,
  -- What is for nobody alone: the stream in whose chat, or the channel of Discord in which, it is.
  ADD COLUMN place text,
  -- Without sense from then on: dropped, or failed when it was tried.
  ADD COLUMN expires_at timestamptz,
  -- Of one channel and lane no two are sent at the same time.
  ADD COLUMN lane text NOT NULL GENERATED ALWAYS AS (coalesce(place, user_id::text)) STORED,
  ADD CONSTRAINT outbox_messages_channel_check
    CHECK (channel IN ('email', 'push', 'discord', 'chat', 'post')),
  ADD CONSTRAINT outbox_messages_goal_check
    CHECK ((place IS NULL) = (channel IN ('email', 'push', 'discord'))
      AND (user_id IS NULL) = (place IS NOT NULL));
CREATE INDEX outbox_messages_lane ON outbox_messages (channel, lane, id)
  WHERE state = 'waiting' AND bundled_into IS NULL;
CREATE INDEX outbox_messages_said ON outbox_messages (lane, id)
  WHERE channel = 'chat' AND state = 'sent' AND bundled_into IS NULL;
CREATE INDEX outbox_messages_expiring ON outbox_messages (channel, expires_at)
  WHERE state = 'waiting' AND expires_at IS NOT NULL;

DROP TABLE chat_announcements;
DROP TABLE chat_messages;

-- A reward message is there from when it is planned: its post is found again and never made twice.
ALTER TABLE discord_messages
  ALTER COLUMN message_id DROP NOT NULL,
  -- The scheduled hour that it is for; none for a test.
  ADD COLUMN slot timestamptz,
  -- Names the post to Discord and in its button.
  ADD COLUMN nonce text UNIQUE CHECK (length(nonce) BETWEEN 8 AND 25),
  ADD UNIQUE (slot, channel_id);
DROP TABLE discord_posts;
ALTER TABLE discord_messages
  DROP COLUMN closed_at, DROP COLUMN close_tries, DROP COLUMN close_after;

ALTER TABLE log_posts
  DROP COLUMN channel_id, DROP COLUMN nonce, DROP COLUMN attempts, DROP COLUMN next_try_at,
  DROP COLUMN problem, DROP COLUMN created_at;
