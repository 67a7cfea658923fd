-- Version 1.0: what the bots say in chats and post to Discord waits in the outbox like news.
-- contract: the queues of the bots, which the program before works off, are gone.

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

INSERT INTO outbox_messages (channel, place, kind, event, next_try_at, expires_at, created_at)
SELECT 'chat', a.stream_id::text, 'completion', 'completion-' || a.completion_id, a.created_at,
  a.created_at + interval '1 hour', a.created_at
FROM chat_announcements a LEFT JOIN chat_messages m ON m.id = a.chat_message_id
WHERE m.id IS NULL OR m.state = 'waiting' ORDER BY a.completion_id;
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
UPDATE discord_messages m
SET nonce = p.nonce, slot = CASE WHEN p.is_test THEN NULL ELSE p.slot::timestamptz END
FROM discord_posts p WHERE p.message_id = m.message_id;
INSERT INTO discord_messages (channel_id, server_id, posted_at, expires_at, reward_amount, nonce,
  slot)
SELECT channel_id, server_id, created_at, expires_at, reward_amount, nonce,
  CASE WHEN is_test THEN NULL ELSE slot::timestamptz END
FROM discord_posts WHERE message_id IS NULL ORDER BY id;
INSERT INTO outbox_messages (channel, place, kind, event, attempts, next_try_at, expires_at,
  created_at)
SELECT 'post', m.channel_id, 'reward', 'reward-' || m.id, p.attempts, p.next_try_at, p.expires_at,
  p.created_at
FROM discord_posts p JOIN discord_messages m USING (nonce)
WHERE p.state = 'waiting' AND NOT p.is_test ORDER BY p.id;
INSERT INTO outbox_messages (channel, place, kind, event, next_try_at, created_at)
SELECT 'post', channel_id, 'reward_over', 'reward_over-' || id, expires_at, posted_at
FROM discord_messages WHERE closed_at IS NULL AND nonce IS NOT NULL ORDER BY id;
DROP TABLE discord_posts;
ALTER TABLE discord_messages
  DROP COLUMN closed_at, DROP COLUMN close_tries, DROP COLUMN close_after;

INSERT INTO outbox_messages (channel, place, kind, event, attempts, next_try_at, expires_at,
  created_at)
SELECT 'post', channel_id, 'checkpoint', 'checkpoint-' || day, attempts, next_try_at,
  (day + 1)::timestamp AT TIME ZONE 'UTC', created_at
FROM log_posts WHERE message_id IS NULL ORDER BY day;
ALTER TABLE log_posts
  DROP COLUMN channel_id, DROP COLUMN nonce, DROP COLUMN attempts, DROP COLUMN next_try_at,
  DROP COLUMN problem, DROP COLUMN created_at;
