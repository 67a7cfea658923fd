// What staff read of a claim to send its prize.

import type { ClaimReading } from '@redpack/contract'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { formatClaimId } from '../../rules/claim-steps.ts'
import { contactFrom, type OpenText } from './admin-views.ts'
import { namedClaim } from './claim-sql.ts'
import { type StepRows, stepsOfClaim, timelineOf } from './claim-views.ts'

// Also one that was deleted: it keeps its details for a while, and can come back.
const read = statement(
  'read_claim_for_sending',
  `SELECT c.id, c.claim_id, c.contact_info, c.created_at, p.claim_instructions, ${stepsOfClaim}
   FROM prize_claims c JOIN prizes p ON p.id = c.prize_id
   WHERE ${namedClaim('$1')}`,
)

interface Row {
  readonly id: number
  readonly claim_id: string | null
  readonly contact_info: unknown
  readonly created_at: Date
  readonly claim_instructions: string
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
    timeline: timelineOf(row),
  }
  return { id: row.id, reading }
}
