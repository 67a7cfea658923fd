// The SQL of claims. Deleting hides: the wins, the stock and the draws behind them stay as they
// were. Contact details stand in the claim, sealed, and go some time after its end.

import type { DeliveryQuestion } from '@redpack/contract/delivery-rules'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import {
  countQuery,
  existsQuery,
  oneQuery,
  rowQuery,
  rowsQuery,
  valuesQuery,
  writeQuery,
} from '../../adapters/db/queries.ts'
import type { ClaimState } from '../../rules/claim-steps.ts'
import type { statesForStatus } from '../../rules/shipment-moves.ts'
import { erasingContacts, hasNewerAddress, namedClaim } from '../../shared/claim-sql.ts'
import type { SealedText } from '../../shared/sealed-text.ts'
import { leavesTime } from './shipment-tables.ts'

export interface LockedClaim {
  readonly id: number
  readonly userId: number
  readonly status: ClaimState
}

/** How many claims were changed, and whose they are. */
interface ChangedClaims {
  readonly count: number
  readonly userIds: readonly number[]
}

const statementMillisMax = 120_000
const markAllDeleted = oneQuery<ChangedClaims, [now: Date, batchId: string]>(
  'delete_all_claims',
  `WITH target AS MATERIALIZED (
     SELECT id FROM prize_claims WHERE deleted_at IS NULL ORDER BY id FOR NO KEY UPDATE
   ), changed AS (
     UPDATE prize_claims c SET deleted_at = $1, deletion_batch = $2, updated_at = $1
     FROM target WHERE c.id = target.id RETURNING c.user_id
   )
   SELECT count(*)::int AS count, coalesce(array_agg(DISTINCT user_id), '{}') AS "userIds"
   FROM changed`,
)
const deletedOnes = `target AS MATERIALIZED (
     SELECT id, deleted_at FROM prize_claims
     WHERE deleted_at IS NOT NULL
       AND (id = ANY(coalesce($1::int[], '{}')) OR deletion_batch = $2::uuid)
     ORDER BY id FOR NO KEY UPDATE
   )`
/** Longer than this, and whose claim it is has had less time than they were told. */
const hiddenHoursMax = 24
type Deleted = [ids: readonly number[] | null, batchId: string | null, now: Date]
const endPassedDeadlines = writeQuery<Deleted>(
  'end_passed_deadlines',
  `WITH ${deletedOnes}
   UPDATE shipments s SET deadline = NULL FROM target
   WHERE s.id = target.id AND s.state = 'address_wanted' AND (s.deadline <= $3
     OR target.deleted_at + interval '${hiddenHoursMax} hours' < $3 AND NOT (${leavesTime('$3')}))`,
)
const unmarkDeleted = oneQuery<ChangedClaims, Deleted>(
  'restore_claims',
  `WITH ${deletedOnes}, changed AS (
     UPDATE prize_claims c SET deleted_at = NULL, deletion_batch = NULL, updated_at = $3
     FROM target WHERE c.id = target.id RETURNING c.user_id
   )
   SELECT count(*)::int AS count, coalesce(array_agg(DISTINCT user_id), '{}') AS "userIds"
   FROM changed`,
)

/** Locks a claim that is not deleted. */
export const lockClaim = rowQuery<LockedClaim, [id: string]>(
  'lock_claim_for_staff',
  `SELECT c.id, c.user_id AS "userId", c.status FROM prize_claims c
   WHERE c.deleted_at IS NULL AND ${namedClaim('$1')} FOR NO KEY UPDATE`,
)

/** Whether whose claim it is has not left, nor leaves until the transaction ends. */
export const holdWinner = existsQuery<[id: string]>(
  'hold_winner_of_claim',
  `SELECT u.id FROM prize_claims c JOIN users u ON u.id = c.user_id AND u.deleted_at IS NULL
   WHERE c.deleted_at IS NULL AND ${namedClaim('$1')} FOR SHARE OF u`,
)

export interface NamedClaim extends LockedClaim {
  /** The PR-number for a row without a Claim ID. */
  readonly claimId: string
}

// In the order of the ids, so that two who change the same claims never wait for each other.
/** Locks those of the claims that are not deleted, whoever else changes them now. */
export const lockClaims = rowsQuery<NamedClaim, [ids: readonly number[]]>(
  'lock_claims_for_staff',
  `SELECT id, user_id AS "userId", status, coalesce(claim_id, 'PR-' || id) AS "claimId"
   FROM prize_claims WHERE deleted_at IS NULL AND id = ANY($1::int[])
   ORDER BY id FOR NO KEY UPDATE`,
)

const writeStatus = statement(
  'write_claim_status',
  `WITH changed AS (
     UPDATE prize_claims SET status = $2, updated_at = $3 WHERE id = ANY($1::int[])
     RETURNING id, contact_info IS NOT NULL AS has_address
   ), shipped AS (
     UPDATE shipments SET state = CASE WHEN has_address THEN $4 ELSE $5 END, updated_at = $3,
       deadline = CASE WHEN $2 <> 'pending' OR ${leavesTime('$3')}
         OR (has_address AND deadline > $3) THEN deadline END
     FROM changed WHERE shipments.id = changed.id
   )
   INSERT INTO prize_claim_events (prize_claim_id, kind, status, created_at)
   SELECT id, 'status', $2, $3 FROM changed ORDER BY id`,
)

/**
 * Moves claims that are locked and in another state, each with a line in its timeline, and what is
 * sent for them.
 */
export async function setClaimStatus(
  tx: Queryable,
  ids: readonly number[],
  status: ClaimState,
  now: Date,
  { withAddress, without }: ReturnType<typeof statesForStatus>,
): Promise<void> {
  await tx.run(writeStatus, [ids, status, now, withAddress, without])
}

export const hideClaims = writeQuery<[ids: readonly number[], batchId: string, now: Date]>(
  'delete_claims',
  `UPDATE prize_claims SET deleted_at = $3, deletion_batch = $2, updated_at = $3
   WHERE id = ANY($1::int[])`,
)

/** Hides every claim; two minutes are allowed for it. */
export async function hideAllClaims(tx: Queryable, batchId: string, now: Date) {
  await tx.allow(statementMillisMax)
  return markAllDeleted(tx, now, batchId)
}

/**
 * Shows hidden claims again, those with the ids or those of the batch. A deadline that has passed
 * meanwhile ends, or the prize would lapse at once; so does one that is near after a long time.
 */
export async function showClaims(
  tx: Queryable,
  which: { readonly ids?: readonly number[] | undefined; readonly batchId?: string | undefined },
  now: Date,
) {
  await tx.allow(statementMillisMax)
  const deleted: Deleted = [which.ids ?? null, which.batchId ?? null, now]
  await endPassedDeadlines(tx, ...deleted)
  return unmarkDeleted(tx, ...deleted)
}

const ownClaim = `c.user_id = $1 AND c.deleted_at IS NULL AND ${namedClaim('$2')}`
const columns = `c.id, c.claim_id, c.status, c.contact_info, c.red_coin_amount,
  coalesce(s.countries, '{}') AS countries, coalesce(s.questions, '[]') AS questions`
const ofClaim = 'prize_claims c LEFT JOIN shipments s ON s.id = c.id'

export interface ClaimForDelivery {
  readonly id: number
  readonly claim_id: string | null
  readonly status: 'pending' | 'processing' | 'completed'
  readonly contact_info: unknown
  readonly red_coin_amount: number
  /** As they held on the win. */
  readonly countries: string[]
  readonly questions: DeliveryQuestion[]
}

/** One of the user's claims; undefined when there is none, or when it is somebody else's. */
export const findClaimForDelivery = rowQuery<ClaimForDelivery, [userId: number, claimId: string]>(
  'read_claim_delivery',
  `SELECT ${columns} FROM ${ofClaim} WHERE ${ownClaim}`,
)

// Whoever is leaving waits, so that what is kept now is erased with them; or has left already.
/** The same, locked. */
export const lockClaimForDelivery = rowQuery<ClaimForDelivery, [userId: number, claimId: string]>(
  'lock_claim_for_delivery',
  `WITH winner AS MATERIALIZED (
     SELECT id FROM users WHERE id = $1 AND deleted_at IS NULL FOR SHARE
   )
   SELECT ${columns} FROM winner JOIN ${ofClaim} ON c.user_id = winner.id WHERE ${ownClaim}
   FOR NO KEY UPDATE OF c`,
)

/**
 * Writes details, or removes them with null, and notes it in the claim's timeline. What waits for
 * an address is ready with one, and the other way round.
 */
export const writeContactInfo = writeQuery<[id: number, contact: SealedText | null, now: Date]>(
  'write_claim_contact',
  `WITH before AS (
     SELECT contact_info IS NULL AS was_empty FROM prize_claims WHERE id = $1
   ), changed AS (
     UPDATE prize_claims SET contact_info = $2::jsonb, updated_at = $3 WHERE id = $1 RETURNING id
   ), shipped AS (
     UPDATE shipments SET updated_at = $3,
       state = CASE WHEN $2::jsonb IS NULL THEN 'address_wanted' ELSE 'ready' END,
       deadline = CASE WHEN $2::jsonb IS NOT NULL OR ${leavesTime('$3')} THEN deadline END
     WHERE id = $1 AND state = CASE WHEN $2::jsonb IS NULL THEN 'ready' ELSE 'address_wanted' END
   )
   INSERT INTO prize_claim_events (prize_claim_id, kind, created_at)
   SELECT id, CASE WHEN $2::jsonb IS NULL THEN 'delivery_erased' ELSE 'delivery_saved' END, $3
   FROM changed, before WHERE NOT (was_empty AND $2::jsonb IS NULL)`,
)

// Few have saved two addresses, and a file that one of them is in is no older than the first.
/**
 * Those of the shipments that are packed for another address than the one saved since, or that wait
 * to be packed, or came back, and were last in a couriers' file or on a label with another one.
 * What was read within a second of a saving may be either.
 */
export const findReaddressed = valuesQuery<{ id: number }, [ids: readonly number[]]>(
  'find_readdressed_shipments',
  `WITH saved AS MATERIALIZED (
     SELECT s.id, coalesce(c.claim_id, 'PR-' || c.id) AS claim_id, min(e.created_at) AS first_at,
       max(e.created_at) AS last_at
     FROM shipments s JOIN prize_claims c ON c.id = s.id
     JOIN prize_claim_events e ON e.prize_claim_id = s.id AND e.kind = 'delivery_saved'
     WHERE s.id = ANY($1::int[]) AND s.state IN ('ready', 'returned')
     GROUP BY s.id, c.id HAVING count(*) > 1
   )
   SELECT s.id FROM shipments s WHERE s.id = ANY($1::int[]) AND (${hasNewerAddress} OR s.id IN (
     SELECT saved.id FROM audit_log a
     CROSS JOIN LATERAL jsonb_array_elements_text(a.after -> 'claimIds') AS n (claim_id)
     JOIN saved USING (claim_id)
     WHERE a.action = 'claim.read_file' AND a.created_at >= (SELECT min(first_at) FROM saved)
     GROUP BY saved.id HAVING max(a.created_at) < max(saved.last_at) + interval '1 second'))`,
)

// Claims from before the timeline have no row in it, and count from their last change.
/** Erases details and numbers of claims completed or removed by `before`; answers how many. */
export const eraseContacts = countQuery<[before: Date, now: Date, limit: number]>(
  'erase_old_contacts',
  erasingContacts(
    `SELECT c.id FROM prize_claims c
     WHERE c.id IN (SELECT id FROM prize_claims WHERE contact_info IS NOT NULL
         UNION SELECT id FROM shipments WHERE tracking_number IS NOT NULL)
       AND (c.deleted_at <= $1 OR (c.status = 'completed' AND coalesce(
         (SELECT max(e.created_at) FROM prize_claim_events e
          WHERE e.prize_claim_id = c.id AND e.status = 'completed'), c.updated_at) <= $1))
     ORDER BY c.id LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED`,
    '$2',
  ),
)
