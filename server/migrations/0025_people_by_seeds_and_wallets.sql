-- Whom a seed pair or a wallet belongs to is found along an index, with a million people too.

CREATE INDEX seed_pairs_user ON seed_pairs (user_id, id);
-- Few have a wallet, so that a change of a balance hardly ever writes to this index.
CREATE INDEX users_wallet ON users (solana_wallet) WHERE solana_wallet IS NOT NULL;
