// The log of staff actions: appended in the transaction of the action itself.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import type { StaffAction } from '../../shared/staff-call.ts'

const append = statement(
  'append_audit_log',
  `INSERT INTO audit_log (actor_id, action, target_type, target_id, before, after, reason, batch_id,
     request_id, created_at)
   VALUES (:actorId, :action, :targetType, :targetId, :before::jsonb, :after::jsonb, :reason,
     :batchId, :requestId, :now)`,
)

/** Appends one row; a failure undoes the action it belongs to. */
export async function recordStaffAction(tx: Queryable, action: StaffAction): Promise<void> {
  await tx.run(append, {
    ...action,
    before: action.before === undefined ? null : JSON.stringify(action.before),
    after: action.after === undefined ? null : JSON.stringify(action.after),
    reason: action.reason ?? null,
    batchId: action.batchId ?? null,
  })
}
