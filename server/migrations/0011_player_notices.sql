-- What a player is told: notices are read from the histories, so only the reading is kept.

-- Until when the user has read; null for nothing yet.
ALTER TABLE users ADD COLUMN notices_read_at timestamptz;
UPDATE users SET notices_read_at = now();

-- What others have given to a user or taken, newest first, without the user's own openings.
CREATE INDEX red_coin_transactions_notices ON red_coin_transactions (user_id, id DESC)
  WHERE type IN ('admin_grant', 'admin_removal', 'discord_reward');
CREATE INDEX pack_transactions_notices ON pack_transactions (user_id, id DESC)
  WHERE type = 'admin_grant';
