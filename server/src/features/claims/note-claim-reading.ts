// The log of staff actions notes who read where a prize is to be sent, and when.

import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import { type Queryable, statement } from '../../adapters/db/database.ts'

const wasNoted = statement(
  'was_claim_reading_noted',
  `SELECT 1 AS noted FROM audit_log
   WHERE target_type = 'claim' AND target_id = $1 AND action = 'claim.read' AND actor_id = $2
     AND created_at >= date_trunc('day', $3::timestamptz, 'UTC') LIMIT 1`,
)

/** Notes a reading of delivery details, once for each member of staff, claim and day in UTC. */
export async function noteClaimReading(
  tx: Queryable,
  { actorId, now }: Author,
  claimId: number,
): Promise<Outcome<void>> {
  const targetId = String(claimId)
  if ((await tx.run(wasNoted, [targetId, actorId, now])).length > 0) return { answer: undefined }
  return { answer: undefined, audit: { action: 'claim.read', targetType: 'claim', targetId } }
}
