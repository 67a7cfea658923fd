// The log of staff actions: appended in the transaction of the action itself.

import { type Queryable, statement } from '../../adapters/db/database.ts'

export interface StaffAction {
  /** Null for what follows from a rule, without anybody of staff. */
  readonly actorId: number | null
  /** Verb and noun, for example `redcoin.grant`. */
  readonly action: string
  readonly targetType: string | null
  readonly targetId: string | null
  readonly before?: unknown
  readonly after?: unknown
  readonly reason?: string | undefined
  readonly batchId?: string | undefined
  readonly requestId: string | null
  readonly now: Date
}

const append = statement(
  'append_audit_log',
  `INSERT INTO audit_log (actor_id, action, target_type, target_id, before, after, reason, batch_id,
     request_id, created_at)
   VALUES ($1, $2, $3, $4, $5::jsonb, $6::jsonb, $7, $8, $9, $10)`,
)

/** Appends one row; a failure undoes the action it belongs to. */
export async function recordStaffAction(tx: Queryable, action: StaffAction): Promise<void> {
  await tx.run(append, [
    action.actorId,
    action.action,
    action.targetType,
    action.targetId,
    action.before === undefined ? null : JSON.stringify(action.before),
    action.after === undefined ? null : JSON.stringify(action.after),
    action.reason ?? null,
    action.batchId ?? null,
    action.requestId,
    action.now,
  ])
}
