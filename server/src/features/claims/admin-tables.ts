// The SQL of what staff do with claims. Deleting hides: the wins, the stock and the draws behind
// them stay as they were.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import type { ClaimState } from '../../rules/claim-steps.ts'
import { namedClaim } from './claim-sql.ts'

export interface LockedClaim {
  readonly id: number
  readonly userId: number
  readonly status: ClaimState
}

const lockRow = statement(
  'lock_claim_for_staff',
  `SELECT c.id, c.user_id AS "userId", c.status FROM prize_claims c
   WHERE c.deleted_at IS NULL AND ${namedClaim('$1')} FOR NO KEY UPDATE`,
)
// In the order of the ids, so that two who change the same claims never wait for each other.
const lockRows = statement(
  'lock_claims_for_staff',
  `SELECT id, user_id AS "userId", status, coalesce(claim_id, 'PR-' || id) AS "claimId"
   FROM prize_claims WHERE deleted_at IS NULL AND id = ANY($1::int[])
   ORDER BY id FOR NO KEY UPDATE`,
)
const writeStatus = statement(
  'write_claim_status',
  `WITH changed AS (
     UPDATE prize_claims SET status = $2, updated_at = $3 WHERE id = ANY($1::int[]) RETURNING id
   )
   INSERT INTO prize_claim_events (prize_claim_id, kind, status, created_at)
   SELECT id, 'status', $2, $3 FROM changed ORDER BY id`,
)
const markDeleted = statement(
  'delete_claims',
  `UPDATE prize_claims SET deleted_at = $2, deletion_batch = $3, updated_at = $2
   WHERE id = ANY($1::int[])`,
)
const statementMillisMax = 120_000
const markAllDeleted = statement(
  'delete_all_claims',
  `WITH target AS MATERIALIZED (
     SELECT id FROM prize_claims WHERE deleted_at IS NULL ORDER BY id FOR NO KEY UPDATE
   ), changed AS (
     UPDATE prize_claims c SET deleted_at = $1, deletion_batch = $2, updated_at = $1
     FROM target WHERE c.id = target.id RETURNING c.user_id
   )
   SELECT count(*)::int AS count, array_agg(DISTINCT user_id) AS "userIds" FROM changed`,
)
const unmarkDeleted = statement(
  'restore_claims',
  `WITH target AS MATERIALIZED (
     SELECT id FROM prize_claims
     WHERE deleted_at IS NOT NULL
       AND (id = ANY(coalesce($1::int[], '{}')) OR deletion_batch = $2::uuid)
     ORDER BY id FOR NO KEY UPDATE
   ), changed AS (
     UPDATE prize_claims c SET deleted_at = NULL, deletion_batch = NULL, updated_at = $3
     FROM target WHERE c.id = target.id RETURNING c.user_id
   )
   SELECT count(*)::int AS count, array_agg(DISTINCT user_id) AS "userIds" FROM changed`,
)

/** Locks a claim that is not deleted. */
export async function lockClaim(tx: Queryable, id: string): Promise<LockedClaim | undefined> {
  return (await tx.run<LockedClaim>(lockRow, [id]))[0]
}

export interface NamedClaim extends LockedClaim {
  /** The PR-number for a row without a Claim ID. */
  readonly claimId: string
}

/** Locks those of the claims that are not deleted, whoever else changes them now. */
export function lockClaims(tx: Queryable, ids: readonly number[]): Promise<NamedClaim[]> {
  return tx.run<NamedClaim>(lockRows, [ids])
}

/** Moves claims that are locked and in another state, each with a line in its timeline. */
export async function setClaimStatus(
  tx: Queryable,
  ids: readonly number[],
  status: ClaimState,
  now: Date,
): Promise<void> {
  await tx.run(writeStatus, [ids, status, now])
}

export async function hideClaims(
  tx: Queryable,
  ids: readonly number[],
  batchId: string,
  now: Date,
): Promise<void> {
  await tx.run(markDeleted, [ids, now, batchId])
}

/** How many claims were changed, and whose they are. */
export interface ChangedClaims {
  readonly count: number
  readonly userIds: readonly number[]
}

type Changed = { readonly count: number; readonly userIds: readonly number[] | null }

function changedBy([row]: readonly Changed[]): ChangedClaims {
  return { count: row?.count ?? 0, userIds: row?.userIds ?? [] }
}

/** Hides every claim; two minutes are allowed for it. */
export async function hideAllClaims(
  tx: Queryable,
  batchId: string,
  now: Date,
): Promise<ChangedClaims> {
  await tx.allow(statementMillisMax)
  return changedBy(await tx.run<Changed>(markAllDeleted, [now, batchId]))
}

/** Shows hidden claims again, those with the ids or those of the batch. */
export async function showClaims(
  tx: Queryable,
  which: { readonly ids?: readonly number[] | undefined; readonly batchId?: string | undefined },
  now: Date,
): Promise<ChangedClaims> {
  await tx.allow(statementMillisMax)
  const values = [which.ids ?? null, which.batchId ?? null, now]
  return changedBy(await tx.run<Changed>(unmarkDeleted, values))
}
