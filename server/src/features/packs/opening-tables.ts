// The statement that writes an opening: it checks, takes and records everything, or changes
// nothing.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import type { OpeningOutcome } from '../../rules/opening.ts'

export interface OpeningToCommit {
  readonly requestId: string
  readonly userId: number
  readonly packTypeId: number
  readonly quantity: number
  readonly seedPairId: number
  /** The client seed that the rolls were made with. */
  readonly clientSeed: string
  readonly firstNonce: number
  readonly oddsRevision: number
  readonly oddsTableId: number
  readonly consolationRedCoin: number
  readonly outcome: OpeningOutcome
  /** One Claim ID per pack that won, null for the others. */
  readonly claimIds: readonly (string | null)[]
  readonly now: Date
  /** Where the answer is kept: the balance goes between the two halves of its text. */
  readonly stored:
    | {
        readonly route: string
        readonly key: string
        readonly inputHash: string
        readonly bodyBeforeBalance: string
        readonly bodyAfterBalance: string
      }
    | undefined
}

/**
 * Every guard stands in the first part, under locks in the fixed order users, user_packs, seed
 * pair, prizes by id; `gate` has a row only when all of them hold, and every write reads from
 * `gate`. The key's row comes first among the writes. One statement is one transaction, so a
 * failure anywhere, a duplicate key included, undoes all of it.
 */
export const commitStatementText = `WITH person AS MATERIALIZED (
    SELECT id, red_coin_balance FROM users WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE
  ), holding AS MATERIALIZED (
    SELECT h.id, h.quantity FROM person
    JOIN user_packs h ON h.user_id = person.id AND h.pack_type_id = $2 AND h.quantity >= $3
    FOR NO KEY UPDATE OF h
  ), pair AS MATERIALIZED (
    SELECT s.id FROM holding
    JOIN seed_pairs s ON s.id = $4 AND s.user_id = $1 AND s.status = 'active' AND s.nonce = $5
      AND s.client_seed = $36 AND s.scheme = 2 AND s.commitment_index IS NOT NULL
    FOR NO KEY UPDATE OF s
  ), stock AS MATERIALIZED (
    SELECT p.id, w.taken, p.inventory_quantity AS units FROM pair
    JOIN unnest($10::int[], $11::int[], $12::int[]) AS w (id, taken, exactly) ON true
    JOIN prizes p ON p.id = w.id AND p.inventory_quantity >= w.taken
      AND (w.exactly IS NULL OR p.inventory_quantity = w.exactly)
    ORDER BY p.id
    FOR NO KEY UPDATE OF p
  ), gate AS MATERIALIZED (
    SELECT person.id AS user_id, person.red_coin_balance AS balance, holding.id AS holding_id,
      holding.quantity AS held
    FROM person, holding, pair, pack_types t
    WHERE t.id = $2 AND t.archived_at IS NULL AND t.odds_revision = $6
      AND (SELECT count(*) FROM stock) = cardinality($10::int[])
  ), kept AS (
    INSERT INTO idempotency_keys (user_id, route, key, input_hash, status, body, created_at)
    SELECT user_id, $27, $28, $29, 200, $30::text || (balance + $13) || $31::text, $9 FROM gate
    WHERE $28::text IS NOT NULL
  ), request AS (
    INSERT INTO opening_requests (id, user_id, pack_type_id, seed_pair_id, odds_table_id,
      first_nonce, quantity, consolation_red_coin, created_at)
    SELECT $8, user_id, $2, $4, $7, $5, $3, $14, $9 FROM gate
  ), opened AS (
    INSERT INTO pack_openings (request_id, user_id, pack_type_id, prize_id, sold_out_prize_id,
      red_coin_earned, nonce, created_at, stock_after)
    SELECT $8, gate.user_id, $2, d.prize_id, d.sold_out, d.earned, $5::int + d.position::int - 1,
      $9, CASE WHEN d.sold_out IS NOT NULL THEN 0 ELSE stock.units - d.win_of_stock END
    FROM gate
    CROSS JOIN unnest($15::int[], $16::int[], $17::bigint[], $35::int[])
      WITH ORDINALITY AS d (prize_id, sold_out, earned, win_of_stock, position)
    LEFT JOIN stock ON stock.id = d.prize_id
    ORDER BY d.position
    RETURNING id, prize_id, nonce
  ), claims AS (
    INSERT INTO prize_claims (user_id, prize_id, claim_id, status, pack_opening_id, created_at,
      updated_at, prize_name, red_coin_amount, pack_quantity, image_hash)
    SELECT $1, opened.prize_id, c.claim_id,
      CASE WHEN c.amount > 0 THEN 'completed' ELSE 'pending' END, opened.id, $9, $9, c.name, c.amount, c.packs, c.image
    FROM opened
    JOIN unnest($18::int[], $19::text[], $20::bigint[], $32::text[], $33::int[], $34::text[])
      AS c (offset_, claim_id, amount, name, packs, image)
      ON opened.nonce = $5::int + c.offset_
    ORDER BY opened.nonce
  ), ledger AS (
    INSERT INTO red_coin_transactions (user_id, amount, type, description, prize_id,
      pack_opening_id, balance_after, source_type, source_id, created_at)
    SELECT gate.user_id, l.amount,
      CASE WHEN opened.id IS NULL THEN 'pack_consolation' ELSE 'prize_win' END, l.description,
      opened.prize_id, opened.id, gate.balance + l.total_after,
      CASE WHEN opened.id IS NULL THEN 'opening_request' ELSE 'opening' END,
      coalesce(opened.id::text, $8::text), $9
    FROM gate
    JOIN unnest($21::int[], $22::bigint[], $23::bigint[], $24::text[])
      WITH ORDINALITY AS l (offset_, amount, total_after, description, position) ON true
    LEFT JOIN opened ON opened.nonce = $5::int + l.offset_
    ORDER BY l.position
  ), used AS (
    UPDATE user_packs SET updated_at = $9, quantity = user_packs.quantity - $3::int + coalesce((
      SELECT r.quantity FROM unnest($25::int[], $26::int[]) AS r (id, quantity) WHERE r.id = $2), 0)
    FROM gate WHERE user_packs.id = gate.holding_id
    RETURNING user_packs.pack_type_id, user_packs.quantity
  ), gained AS (
    INSERT INTO user_packs (user_id, pack_type_id, quantity, updated_at)
    SELECT gate.user_id, r.id, r.quantity, $9
    FROM gate, unnest($25::int[], $26::int[]) AS r (id, quantity)
    WHERE r.id <> $2
    ON CONFLICT (user_id, pack_type_id)
      DO UPDATE SET quantity = user_packs.quantity + EXCLUDED.quantity, updated_at = $9
    RETURNING pack_type_id, quantity
  ), pack_history AS (
    INSERT INTO pack_transactions (user_id, pack_type_id, delta, quantity_after, type, source_type,
      source_id, created_at)
    SELECT user_id, $2, -$3::int, held - $3::int, 'open', 'opening_request', $8::text, $9 FROM gate
    UNION ALL
    SELECT $1, r.id, r.quantity, now_held.quantity, 'prize_reward', 'opening_request', $8::text, $9
    FROM unnest($25::int[], $26::int[]) AS r (id, quantity)
    JOIN (SELECT * FROM used UNION ALL SELECT * FROM gained) AS now_held
      ON now_held.pack_type_id = r.id
  ), seeds AS (
    UPDATE seed_pairs SET nonce = nonce + $3::int FROM gate WHERE id = $4
  ), paid AS (
    UPDATE users SET red_coin_balance = users.red_coin_balance + $13,
      total_red_coin_won = users.total_red_coin_won + $13
    FROM gate WHERE users.id = gate.user_id AND $13::bigint > 0
  ), reduced AS (
    UPDATE prizes SET inventory_quantity = prizes.inventory_quantity - stock.taken
    FROM stock, gate WHERE prizes.id = stock.id AND stock.taken > 0
    RETURNING prizes.id, prizes.inventory_quantity, stock.taken
  ), stock_history AS (
    INSERT INTO stock_events (kind, ref_id, delta, quantity_after, source_type, source_id,
      created_at)
    SELECT 'prize', id, -taken, inventory_quantity, 'claim', $8::text, $9 FROM reduced
  )
  SELECT balance + $13::bigint AS balance FROM gate`

const commit = statement('commit_opening', commitStatementText)

/** Answers the new balance, or undefined when something moved since the state was read. */
export async function commitOpening(
  db: Queryable,
  opening: OpeningToCommit,
): Promise<number | undefined> {
  const rows = await db.run<{ balance: number }>(commit, [
    opening.userId,
    opening.packTypeId,
    opening.quantity,
    opening.seedPairId,
    opening.firstNonce,
    opening.oddsRevision,
    opening.oddsTableId,
    opening.requestId,
    opening.now,
    ...stockColumns(opening.outcome),
    opening.outcome.redCoinTotal,
    opening.consolationRedCoin,
    ...openingColumns(opening.outcome),
    ...claimColumns(opening),
    ...ledgerColumns(opening.outcome),
    [...opening.outcome.rewards.keys()],
    [...opening.outcome.rewards.values()],
    opening.stored?.route ?? null,
    opening.stored?.key ?? null,
    opening.stored?.inputHash ?? null,
    opening.stored?.bodyBeforeBalance ?? null,
    opening.stored?.bodyAfterBalance ?? null,
    ...wonColumns(opening.outcome),
    opening.outcome.packs.map(({ winOfStock }) => winOfStock),
    opening.clientSeed,
  ])
  return rows[0]?.balance
}

function stockColumns({ stock }: OpeningOutcome): unknown[] {
  return [
    stock.map(({ prizeId }) => prizeId),
    stock.map(({ taken }) => taken),
    stock.map(({ exactly }) => exactly),
  ]
}

function openingColumns({ packs }: OpeningOutcome): unknown[] {
  return [
    packs.map(({ prize }) => prize?.prizeId ?? null),
    packs.map(({ soldOutPrizeId }) => soldOutPrizeId),
    packs.map(({ redCoinEarned }) => redCoinEarned),
  ]
}

function claimColumns({ outcome, claimIds }: OpeningToCommit): unknown[] {
  const won = outcome.packs.flatMap(({ prize }, offset) =>
    prize === undefined ? [] : [{ offset, amount: prize.redCoinAmount }],
  )
  return [
    won.map(({ offset }) => offset),
    won.map(({ offset }) => claimIds[offset]),
    won.map(({ amount }) => amount),
  ]
}

/** The prizes as they are now, for their claims to keep, in the order of `claimColumns`. */
function wonColumns({ packs }: OpeningOutcome): unknown[] {
  const won = packs.flatMap(({ prize }) => prize ?? [])
  return [
    won.map(({ name }) => name),
    won.map((prize) => prize.rewardPackQuantity),
    won.map(({ imageHash }) => imageHash),
  ]
}

/** One row per RedCoin prize in the order of the draws, then one for all consolations together. */
function ledgerColumns({ packs, consolationTotal }: OpeningOutcome): unknown[] {
  const entries: { offset: number | null; amount: number; description: string }[] = []
  for (const [offset, { prize }] of packs.entries()) {
    if (prize === undefined || prize.redCoinAmount === 0) continue
    entries.push({ offset, amount: prize.redCoinAmount, description: `Won ${prize.name}` })
  }
  if (consolationTotal > 0) {
    const losing = packs.filter(({ prize }) => prize === undefined).length
    const description = losing === 1 ? 'Pack without a prize' : `${losing} packs without a prize`
    entries.push({ offset: null, amount: consolationTotal, description })
  }
  let total = 0
  const totals = entries.map(({ amount }) => {
    total += amount
    return total
  })
  return [
    entries.map(({ offset }) => offset),
    entries.map(({ amount }) => amount),
    totals,
    entries.map(({ description }) => description),
  ]
}
