// SQL on the codes of prizes: added by staff, assigned by wins, shown to winners.

import type { Queryable } from '../../adapters/db/database.ts'
import {
  countQuery,
  existsQuery,
  oneValueQuery,
  rowQuery,
  valuesQuery,
  writeQuery,
} from '../../adapters/db/queries.ts'
import { namedClaim } from '../../shared/claim-sql.ts'
import type { SealedText } from '../../shared/sealed-text.ts'

/** Those of the marks that a code has, of whatever prize. */
export const knownMarks = valuesQuery<{ mark: string }, [marks: readonly string[]]>(
  'find_marks_of_codes',
  'SELECT mark FROM prize_codes WHERE mark = ANY($1::text[])',
)

/** Locks the prize and those deleted ones that have unused codes with these marks, in id order. */
export const lockForCodes = valuesQuery<
  { id: number },
  [prizeId: number, marks: readonly string[]]
>(
  'lock_prizes_for_codes',
  `SELECT p.id FROM prizes p WHERE p.id = $1 OR p.archived_at IS NOT NULL AND p.id IN (
     SELECT prize_id FROM prize_codes WHERE mark = ANY($2::text[]) AND prize_claim_id IS NULL)
   ORDER BY p.id FOR NO KEY UPDATE`,
)

/** Removes unused codes of locked prizes. Answers the prize of each. */
export const dropUnused = valuesQuery<
  { prizeId: number },
  [prizeIds: readonly number[], marks: readonly string[]]
>(
  'drop_unused_codes',
  `DELETE FROM prize_codes WHERE prize_id = ANY($1::int[]) AND mark = ANY($2::text[])
     AND prize_claim_id IS NULL
   RETURNING prize_id AS "prizeId"`,
)

/** Row numbers for codes to come: a sealed text is bound to its row. */
export const idsForCodes = valuesQuery<{ id: number }, [count: number]>(
  'take_ids_of_codes',
  `SELECT nextval(pg_get_serial_sequence('prize_codes', 'id'))::int AS id
   FROM generate_series(1, $1::int)`,
)

export interface NewCode {
  readonly id: number
  readonly mark: string
  readonly sealed: SealedText
}

// What somebody else has added meanwhile, to whatever prize, is left out.
const insert = valuesQuery<
  { mark: string },
  [prizeId: number, ids: number[], sealed: string[], marks: string[], now: Date]
>(
  'insert_prize_codes',
  `INSERT INTO prize_codes (id, prize_id, sealed, mark, created_at)
   SELECT n.id, $1, n.sealed, n.mark, $5
   FROM unnest($2::int[], $3::jsonb[], $4::text[]) AS n (id, sealed, mark) ORDER BY n.mark
   ON CONFLICT (mark) DO NOTHING RETURNING mark`,
)

/** Adds codes to a prize that stands locked. Answers the marks of those that are new. */
export async function insertCodes(
  tx: Queryable,
  prizeId: number,
  codes: readonly NewCode[],
  now: Date,
): Promise<Set<string>> {
  const inserted = await insert(
    tx,
    prizeId,
    codes.map(({ id }) => id),
    codes.map(({ sealed }) => JSON.stringify(sealed)),
    codes.map(({ mark }) => mark),
    now,
  )
  return new Set(inserted)
}

export const unusedCodes = oneValueQuery<{ unused: number }, [prizeId: number]>(
  'count_unused_codes',
  `SELECT count(*)::int AS unused FROM prize_codes
   WHERE prize_id = $1 AND prize_claim_id IS NULL`,
)

// Those who win the same prize come one after the other: each has taken its unit of the stock in
// this transaction, so the code it reads as unused is used by nobody else.
const assign = countQuery<[claimIds: readonly string[], now: Date]>(
  'assign_prize_codes',
  `UPDATE prize_codes SET prize_claim_id = won.id, assigned_at = $2
   FROM (
     SELECT c.id, c.prize_id, row_number() OVER (PARTITION BY c.prize_id ORDER BY c.id) AS n
     FROM prize_claims c WHERE c.claim_id = ANY($1::text[])
   ) won
   CROSS JOIN LATERAL (
     SELECT k.id FROM prize_codes k WHERE k.prize_id = won.prize_id AND k.prize_claim_id IS NULL
     ORDER BY k.id LIMIT 1 OFFSET won.n - 1
   ) unused
   WHERE prize_codes.id = unused.id AND prize_codes.prize_claim_id IS NULL
   RETURNING prize_codes.id`,
)
const countWon = oneValueQuery<{ won: number }, [claimIds: readonly string[]]>(
  'count_claims_with_ids',
  'SELECT count(*)::int AS won FROM prize_claims WHERE claim_id = ANY($1::text[])',
)

/**
 * Gives each win its code, in the transaction that wrote the claims and took the stock.
 * @throws Error when there are fewer codes than units of stock: nothing is won then
 */
export async function assignCodes(tx: Queryable, claimIds: readonly string[], now: Date) {
  const assigned = await assign(tx, claimIds, now)
  if (assigned !== (await countWon(tx, claimIds))) {
    throw new Error('A prize has fewer codes than stock')
  }
}

export interface OwnCode {
  readonly id: number
  readonly sealed: SealedText
  readonly claimRow: number
}

/** The code of one of the user's claims; undefined for none, and for somebody else's. */
export const ownCode = rowQuery<OwnCode, [userId: number, claimId: string]>(
  'read_own_code',
  `SELECT k.id, k.sealed, c.id AS "claimRow" FROM prize_claims c
   JOIN prize_codes k ON k.prize_claim_id = c.id
   WHERE c.user_id = $1 AND c.deleted_at IS NULL AND ${namedClaim('$2')}`,
)

/**
 * Waits for the wins that are being written, and lets others begin only after the transaction: an
 * opening takes no lock on a prize that it has read as unlimited.
 */
export const untilWinsEnd = writeQuery('hold_shipments', 'LOCK TABLE shipments IN SHARE MODE')

/** Whether a unit of the prize is still on its way to a winner, and may come back into stock. */
export const isBeingSent = existsQuery<[prizeId: number]>(
  'prize_is_being_sent',
  `SELECT 1 FROM shipments s JOIN prize_claims c ON c.id = s.id
   WHERE c.prize_id = $1 AND s.state NOT IN ('delivered', 'declined', 'lapsed') LIMIT 1`,
)

/** Notes in the timeline that the winner has seen it, once for a call and its repetitions. */
export const noteCodeShown = writeQuery<[claimRow: number, now: Date]>(
  'note_code_shown',
  `INSERT INTO prize_claim_events (prize_claim_id, kind, created_at)
   SELECT $1::int, 'code_shown', $2 WHERE NOT EXISTS (SELECT FROM prize_claim_events
     WHERE prize_claim_id = $1::int AND kind = 'code_shown'
       AND created_at > $2::timestamptz - interval '1 minute')`,
)
