// What every opening is compared with: the statement that wrote one opening by itself, before they
// were written in groups. It stays as it was but for what a draw is made from, so that figures of
// different days can be compared.

import { insertKey } from '../server/src/adapters/db/stored-key.ts'
import {
  addPackHistory,
  addRedCoinHistory,
  addStockHistory,
  addToHoldings,
  moveHoldings,
  payWinnings,
  takeStock,
} from '../server/src/features/ledger/value-sql.ts'

/** Writes one opening, with the values that `openings.ts` gives it in pgbench. */
export const singleOpeningText = `WITH person AS MATERIALIZED (
    SELECT id, red_coin_balance FROM users
    WHERE id = :userId AND deleted_at IS NULL FOR NO KEY UPDATE
  ), holding AS MATERIALIZED (
    SELECT h.id, h.quantity FROM person
    JOIN user_packs h ON h.user_id = person.id AND h.pack_type_id = :packTypeId
      AND h.quantity >= :quantity
    FOR NO KEY UPDATE OF h
  ), chain AS MATERIALIZED (
    SELECT c.id, c.index FROM holding
    JOIN draw_chains c ON c.id = :chainId AND c.user_id = :userId AND c.ended_at IS NULL
    FOR NO KEY UPDATE OF c
  ), stock AS MATERIALIZED (
    SELECT p.id, w.taken, p.inventory_quantity AS units FROM chain
    JOIN unnest(:stockIds::int[], :stockTaken::int[], :stockExactly::int[])
      AS w (id, taken, exactly) ON true
    JOIN prizes p ON p.id = w.id AND p.inventory_quantity >= w.taken
      AND (w.exactly IS NULL OR p.inventory_quantity = w.exactly)
    ORDER BY p.id
    FOR NO KEY UPDATE OF p
  ), gate AS MATERIALIZED (
    SELECT person.id AS user_id, person.red_coin_balance AS balance, holding.id AS holding_id,
      holding.quantity AS held, chain.index AS chain_index
    FROM person, holding, chain, pack_types t
    WHERE t.id = :packTypeId AND t.archived_at IS NULL AND t.odds_revision = :oddsRevision
      AND (SELECT count(*) FROM stock) = cardinality(:stockIds::int[])
  ), kept AS (
    ${insertKey}
    SELECT user_id, :route, :key, :inputHash, 200,
      :bodyBefore::text || (balance + :redCoinTotal) || :bodyAfter::text, :now
    FROM gate WHERE :key::text IS NOT NULL
  ), request AS (
    INSERT INTO opening_requests (id, user_id, pack_type_id, chain_id, chain_index, server_seed,
      entropy, entropy_from, next_commitment, odds_table_id, quantity, consolation_red_coin,
      created_at)
    SELECT :requestId, user_id, :packTypeId, :chainId, chain_index, :hash, :hash, 'player', :hash,
      :oddsTableId, :quantity, :consolation, :now FROM gate
  ), opened AS (
    INSERT INTO pack_openings (request_id, user_id, pack_type_id, prize_id, sold_out_prize_id,
      red_coin_earned, position, created_at, stock_after)
    SELECT :requestId, gate.user_id, :packTypeId, d.prize_id, d.sold_out, d.earned,
      d.place::int - 1, :now,
      CASE WHEN d.sold_out IS NOT NULL THEN 0 ELSE stock.units - d.win_of_stock END
    FROM gate
    CROSS JOIN unnest(:drawnPrizes::int[], :drawnSoldOut::int[], :drawnEarned::bigint[],
      :winsOfStock::int[])
      WITH ORDINALITY AS d (prize_id, sold_out, earned, win_of_stock, place)
    LEFT JOIN stock ON stock.id = d.prize_id
    ORDER BY d.place
    RETURNING id, prize_id, position
  ), claims AS (
    INSERT INTO prize_claims (user_id, prize_id, claim_id, status, pack_opening_id, created_at,
      updated_at, prize_name, prize_description, red_coin_amount, pack_quantity, image_hash)
    SELECT :userId, opened.prize_id, c.claim_id,
      CASE WHEN c.amount > 0 THEN 'completed' ELSE 'pending' END, opened.id, :now, :now, c.name,
      '', c.amount, c.packs, c.image
    FROM opened
    JOIN unnest(:claimOffsets::int[], :claimIds::text[], :claimAmounts::bigint[],
      :claimNames::text[], :claimPacks::int[], :claimImages::text[])
      AS c (offset_, claim_id, amount, name, packs, image)
      ON opened.position = c.offset_
    ORDER BY opened.position
  ), ledger AS (
    ${addRedCoinHistory}
    SELECT gate.user_id, l.amount,
      CASE WHEN opened.id IS NULL THEN 'pack_consolation' ELSE 'prize_win' END, l.description,
      opened.prize_id, opened.id, gate.balance + l.total_after,
      CASE WHEN opened.id IS NULL THEN 'opening_request' ELSE 'opening' END,
      coalesce(opened.id::text, :requestId::text), :now
    FROM gate
    JOIN unnest(:entryOffsets::int[], :entryAmounts::bigint[], :entryTotals::bigint[],
      :entryTexts::text[])
      WITH ORDINALITY AS l (offset_, amount, total_after, description, place) ON true
    LEFT JOIN opened ON opened.position = l.offset_
    ORDER BY l.place
  ), used AS (
    ${moveHoldings(`coalesce((SELECT r.quantity
      FROM unnest(:rewardIds::int[], :rewardQuantities::int[]) AS r (id, quantity)
      WHERE r.id = :packTypeId), 0) - :quantity::int`)},
      updated_at = :now
    FROM gate WHERE user_packs.id = gate.holding_id
    RETURNING user_packs.user_id, user_packs.pack_type_id, user_packs.quantity
  ), gained AS (
    ${addToHoldings(`SELECT gate.user_id, r.id, r.quantity, :now
    FROM gate, unnest(:rewardIds::int[], :rewardQuantities::int[]) AS r (id, quantity)
    WHERE r.id <> :packTypeId`)}
  ), pack_history AS (
    ${addPackHistory}
    SELECT user_id, :packTypeId, -:quantity::int, held - :quantity::int, 'open', '', 'opening_request',
      :requestId::text, :now
    FROM gate
    UNION ALL
    SELECT :userId, r.id, r.quantity, now_held.quantity, 'prize_reward', '', 'opening_request',
      :requestId::text, :now
    FROM unnest(:rewardIds::int[], :rewardQuantities::int[]) AS r (id, quantity)
    JOIN (SELECT * FROM used UNION ALL SELECT * FROM gained) AS now_held
      ON now_held.pack_type_id = r.id
  ), seeds AS (
    UPDATE draw_chains SET index = index + 1, commitment = :hash, sealed_seed = sealed_seed
    FROM gate WHERE id = :chainId
  ), paid AS (
    ${payWinnings(':redCoinTotal')}
    FROM gate WHERE users.id = gate.user_id AND :redCoinTotal::bigint > 0
  ), reduced AS (
    ${takeStock('prize', 'stock.taken')}
    FROM stock, gate WHERE prizes.id = stock.id AND stock.taken > 0
    RETURNING prizes.id, prizes.inventory_quantity, stock.taken
  ), stock_history AS (
    ${addStockHistory}
    SELECT 'prize', id, -taken, inventory_quantity, 'claim', :requestId::text, :now FROM reduced
  )
  SELECT balance + :redCoinTotal::bigint AS balance FROM gate`
