// What players see of the prizes they have won, and what staff read of a claim to send its prize.

import type { Claim, ClaimReading, ClaimStep, ClaimsQuery, ClaimsResponse } from '@redpack/contract'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { formatClaimId } from '../../rules/claim-steps.ts'
import { namedClaim } from '../../shared/claim-sql.ts'
import { paginationOf } from '../../shared/pagination.ts'
import { contactFrom, type OpenText } from './admin-views.ts'
import { type CourseRow, codeShipment, courseColumns, shipmentFrom } from './shipment-views.ts'

/** Later steps of a claim that are shown. */
const stepsMax = 50

/** The latest steps of the claim `c`, oldest first. */
export const stepsOfClaim = `(SELECT jsonb_agg(
    jsonb_build_array(step.kind, step.status, step.created_at) ORDER BY step.id)
  FROM (SELECT * FROM prize_claim_events e WHERE e.prize_claim_id = c.id
        ORDER BY e.id DESC LIMIT ${stepsMax}) step) AS steps`

/** Steps as the statement above reads them; null for none. */
export type StepRows = readonly (readonly [ClaimStep['kind'], ClaimStep['status'], string])[] | null

/** What has happened to a claim, its making first. */
export function timelineOf(row: { readonly created_at: Date; readonly steps: StepRows }) {
  return [
    { kind: 'created' as const, status: null, at: row.created_at.toISOString() },
    ...(row.steps ?? []).map(([kind, status, at]) => ({
      kind,
      status,
      at: new Date(at).toISOString(),
    })),
  ]
}

/** True where the win was given a code. */
const hasCode = 'EXISTS (SELECT FROM prize_codes k WHERE k.prize_claim_id = c.id) AS has_code'

// The total stands beside the page in one snapshot. A page past the end still has its one row,
// empty. How to claim a prize is said as staff say it today; what was won stands in the claim.
const readPage = statement(
  'read_own_claims',
  `SELECT matching.total, page.*
   FROM (
     SELECT count(*)::int AS total FROM prize_claims c
     WHERE c.user_id = $1 AND c.deleted_at IS NULL AND (c.red_coin_amount > 0) = $2
   ) matching
   LEFT JOIN LATERAL (
     SELECT c.id, c.claim_id, c.status, c.created_at, c.prize_id, c.prize_name AS name,
       c.prize_description AS description, c.image_data, c.image_type, c.red_coin_amount,
       p.claim_instructions, ${hasCode}, ${courseColumns},
       ${stepsOfClaim}
     FROM prize_claims c
     JOIN prizes p ON p.id = c.prize_id
     LEFT JOIN shipments s ON s.id = c.id
     WHERE c.user_id = $1 AND c.deleted_at IS NULL AND (c.red_coin_amount > 0) = $2
     ORDER BY c.id DESC LIMIT $3 OFFSET $4
   ) page ON true
   ORDER BY page.id DESC`,
)

interface ClaimRow extends Omit<CourseRow, 'state'> {
  /** Null where nothing is sent. */
  readonly state: CourseRow['state'] | null
  readonly total: number
  readonly id: number | null
  readonly claim_id: string | null
  readonly status: Claim['status']
  readonly created_at: Date
  readonly prize_id: number
  readonly name: string
  readonly description: string
  readonly image_data: string | null
  readonly image_type: string | null
  readonly red_coin_amount: number
  readonly claim_instructions: string
  readonly has_code: boolean
  readonly steps: StepRows
}

/**
 * One page of the caller's claims of one kind, newest first. Removed claims are left out.
 */
export async function ownClaimsPage(
  db: Queryable,
  userId: number,
  query: ClaimsQuery,
): Promise<ClaimsResponse> {
  const { page, limit, filter } = query
  const rows = await db.run<ClaimRow>(readPage, [
    userId,
    filter === 'redcoin',
    limit,
    (page - 1) * limit,
  ])
  return {
    claims: rows.flatMap(claimFrom),
    pagination: paginationOf(rows[0]?.total ?? 0, page, limit),
  }
}

function claimFrom(row: ClaimRow): Claim[] {
  if (row.id === null) return []
  return [
    {
      id: row.id,
      claimId: formatClaimId(row.claim_id, row.id),
      status: row.status,
      createdAt: row.created_at.toISOString(),
      prize: {
        id: row.prize_id,
        name: row.name,
        description: row.description,
        imageData: row.image_data,
        imageType: row.image_type,
        redCoinAmount: row.red_coin_amount,
        claimInstructions: row.claim_instructions,
      },
      timeline: timelineOf(row),
      shipment:
        row.state !== null
          ? shipmentFrom({ ...row, state: row.state })
          : row.has_code
            ? codeShipment
            : null,
    },
  ]
}

// Also one that was deleted: it keeps its details for a while, and can come back.
const read = statement(
  'read_claim_for_sending',
  `SELECT c.id, c.claim_id, c.contact_info, c.created_at, c.image_data, c.image_type,
     p.claim_instructions, ${hasCode}, ${stepsOfClaim}
   FROM prize_claims c JOIN prizes p ON p.id = c.prize_id
   WHERE ${namedClaim('$1')}`,
)

interface Row {
  readonly id: number
  readonly claim_id: string | null
  readonly contact_info: unknown
  readonly created_at: Date
  readonly image_data: string | null
  readonly image_type: string | null
  readonly claim_instructions: string
  readonly has_code: boolean
  readonly steps: StepRows
}

/** What there is to send a prize, with its claim’s row number; undefined where it is missing. */
export async function claimReading(
  db: Queryable,
  open: OpenText,
  id: string,
): Promise<{ readonly id: number; readonly reading: ClaimReading } | undefined> {
  const [row] = await db.run<Row>(read, [id])
  if (row === undefined) return undefined
  const reading = {
    claimId: formatClaimId(row.claim_id, row.id),
    contactInfo: contactFrom(row, open),
    claimInstructions: row.claim_instructions,
    hasCode: row.has_code,
    imageData: row.image_data,
    imageType: row.image_type,
    timeline: timelineOf(row),
  }
  return { id: row.id, reading }
}
