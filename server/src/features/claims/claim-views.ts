// What players see of the prizes they have won, and what staff read of a claim to send its prize.

import type { Claim, ClaimReading, ClaimStep, ClaimsQuery } from '@redpack/contract'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { rowQuery } from '../../adapters/db/queries.ts'
import { formatClaimId } from '../../rules/claim-steps.ts'
import { namedClaim } from '../../shared/claim-sql.ts'
import { listedPicture } from '../../shared/list-parameter-sql.ts'
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
export function timelineOf(row: { readonly createdAt: Date; readonly steps: StepRows }) {
  return [
    { kind: 'created' as const, status: null, at: row.createdAt.toISOString() },
    ...(row.steps ?? []).map(([kind, status, at]) => ({
      kind,
      status,
      at: new Date(at).toISOString(),
    })),
  ]
}

/** True where the win was given a code. */
const hasCode = 'EXISTS (SELECT FROM prize_codes k WHERE k.prize_claim_id = c.id) AS "hasCode"'

const picture = listedPicture('c', 'c.id DESC')

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
     SELECT c.id, c.claim_id AS "claimId", c.status, c.created_at AS "createdAt",
       json_build_object('id', c.prize_id, 'name', c.prize_name,
         'description', c.prize_description, 'imageData', ${picture.data},
         'imageType', c.image_type, 'imageUrl', ${picture.url},
         'redCoinAmount', c.red_coin_amount, 'claimInstructions', p.claim_instructions) AS prize,
       ${hasCode}, ${courseColumns}, ${stepsOfClaim}
     FROM (
       SELECT id FROM prize_claims c
       WHERE c.user_id = $1 AND c.deleted_at IS NULL AND (c.red_coin_amount > 0) = $2
       ORDER BY c.id DESC LIMIT $3 OFFSET $4
     ) listed
     JOIN prize_claims c ON c.id = listed.id
     JOIN prizes p ON p.id = c.prize_id
     LEFT JOIN shipments s ON s.id = c.id
   ) page ON true
   ORDER BY page.id DESC`,
)

interface ClaimRow extends Omit<CourseRow, 'state'>, Pick<Claim, 'status' | 'prize'> {
  /** Null where nothing is sent. */
  readonly state: CourseRow['state'] | null
  readonly total: number
  readonly id: number | null
  readonly claimId: string | null
  readonly createdAt: Date
  readonly hasCode: boolean
  readonly steps: StepRows
}

/** One page of the caller's claims of one kind, newest first. Removed claims are left out. */
export async function ownClaimsPage(db: Queryable, userId: number, query: ClaimsQuery) {
  const { page, limit, filter } = query
  const rows = await db.run<ClaimRow>(readPage, [
    userId,
    filter === 'redcoin',
    limit,
    (page - 1) * limit,
  ])
  return {
    claims: rows.flatMap(claimFrom),
    pagination: paginationOf(rows[0]?.total ?? 0, { page, limit }),
  }
}

function claimFrom({ total, id, ...row }: ClaimRow): Claim[] {
  if (id === null) return []
  const { claimId, status, createdAt, prize, hasCode, steps, state, ...course } = row
  const uncarried = hasCode ? codeShipment : null
  return [
    {
      id,
      claimId: formatClaimId(claimId, id),
      status,
      createdAt: createdAt.toISOString(),
      prize,
      timeline: timelineOf({ createdAt, steps }),
      shipment: state === null ? uncarried : shipmentFrom({ state, ...course }),
    },
  ]
}

// Also one that was deleted: it keeps its details for a while, and can come back.
const read = rowQuery<Row, [id: string]>(
  'read_claim_for_sending',
  `SELECT c.id, c.claim_id AS "claimId", c.contact_info AS "contactInfo",
     c.created_at AS "createdAt", c.image_data AS "imageData", c.image_type AS "imageType",
     p.claim_instructions AS "claimInstructions", ${hasCode}, ${stepsOfClaim}
   FROM prize_claims c JOIN prizes p ON p.id = c.prize_id
   WHERE ${namedClaim('$1')}`,
)

interface Row extends Omit<ClaimReading, 'claimId' | 'contactInfo' | 'timeline'> {
  readonly id: number
  readonly claimId: string | null
  readonly contactInfo: unknown
  readonly createdAt: Date
  readonly steps: StepRows
}

/** What there is to send a prize, with its claim’s row number; undefined where it is missing. */
export async function claimReading(db: Queryable, open: OpenText, id: string) {
  const row = await read(db, id)
  if (row === undefined) return undefined
  const { id: claimRow, createdAt, steps, ...kept } = row
  const claimId = formatClaimId(row.claimId, claimRow)
  const contactInfo = contactFrom(row, open)
  const timeline = timelineOf({ createdAt, steps })
  return { id: claimRow, reading: { ...kept, claimId, contactInfo, timeline } }
}
