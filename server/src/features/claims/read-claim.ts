// What staff read of a claim to send its prize; the log of staff actions notes who did and when.

import type { ClaimReading } from '@redpack/contract'
import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { formatClaimId } from '../../rules/claim-id.ts'
import { notFound } from './admin-change-claims.ts'
import { contactFrom, type OpenText } from './admin-views.ts'
import { type StepRows, stepsOfClaim, timelineOf } from './claim-views.ts'
import { namedClaim } from './named-claim-sql.ts'

// Also one that was deleted: it keeps its details for a while, and can come back.
const read = statement(
  'read_claim_for_sending',
  `SELECT c.id, c.claim_id, c.contact_info, c.created_at, p.claim_instructions, ${stepsOfClaim}
   FROM prize_claims c JOIN prizes p ON p.id = c.prize_id
   WHERE ${namedClaim('$1')}`,
)
const wasNoted = statement(
  'was_claim_reading_noted',
  `SELECT 1 AS noted FROM audit_log
   WHERE target_type = 'claim' AND target_id = $1 AND action = 'claim.read' AND actor_id = $2
     AND created_at >= date_trunc('day', $3::timestamptz, 'UTC') LIMIT 1`,
)

interface Row {
  readonly id: number
  readonly claim_id: string | null
  readonly contact_info: unknown
  readonly created_at: Date
  readonly claim_instructions: string
  readonly steps: StepRows
}

/**
 * Answers what there is to send a prize. Reading its delivery details is noted once for each member
 * of staff, claim and day in UTC.
 * @throws DomainError not_found
 */
export async function readClaim(
  tx: Queryable,
  { actorId, now }: Author,
  open: OpenText,
  id: string,
): Promise<Outcome<ClaimReading>> {
  const [row] = await tx.run<Row>(read, [id])
  if (row === undefined) throw notFound()
  const contactInfo = contactFrom(row, open)
  const answer = {
    claimId: formatClaimId(row.claim_id, row.id),
    contactInfo,
    claimInstructions: row.claim_instructions,
    timeline: timelineOf(row),
  }
  const targetId = String(row.id)
  const isNoted =
    contactInfo === null || (await tx.run(wasNoted, [targetId, actorId, now])).length > 0
  if (isNoted) return { answer }
  return { answer, audit: { action: 'claim.read', targetType: 'claim', targetId } }
}
