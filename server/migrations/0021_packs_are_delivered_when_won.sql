-- A prize that pays packs and no RedCoin is delivered when it is won, unless something is also sent.
ALTER TABLE prizes ADD COLUMN is_also_sent boolean NOT NULL DEFAULT false;
ALTER TABLE prize_claims ADD COLUMN is_also_sent boolean NOT NULL DEFAULT false;

-- What staff have taken up already they have handled as something to send.
UPDATE prize_claims SET is_also_sent = true
WHERE status <> 'pending' AND red_coin_amount = 0 AND pack_quantity > 0;
UPDATE prize_claims SET status = 'completed', updated_at = now()
WHERE status = 'pending' AND red_coin_amount = 0 AND pack_quantity > 0;

-- expand: the release before does not know the column, so it never writes it.
CREATE TRIGGER keep_whether_something_is_sent
  BEFORE UPDATE OF is_also_sent ON prize_claims
  FOR EACH ROW EXECUTE FUNCTION refuse_history_change();

-- Openings keep prizes in memory by this revision, and decide by the switch what a claim waits for.
CREATE TRIGGER prizes_change_what_is_sent
  AFTER UPDATE OF is_also_sent ON prizes FOR EACH ROW
  WHEN (OLD.is_also_sent <> NEW.is_also_sent)
  EXECUTE FUNCTION bump_odds_of_prize();
