// Approves or deletes many claims in one call, with a verdict for each.

import type { AuditEntry, Author, Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import { claimStepRefusal } from '../../rules/claim-steps.ts'
import type { DomainError } from '../../shared/domain-error.ts'
import { changedUsers, notFound } from './admin-change-claims.ts'
import { hideClaims, lockClaims, type NamedClaim, setClaimStatus } from './admin-tables.ts'

export interface ManyClaims {
  readonly act: 'approve' | 'delete'
  /** Row numbers, each once. */
  readonly ids: readonly number[]
}

export interface Verdict {
  readonly id: number
  readonly claimId: string | null
  readonly verdict: 'done' | 'refused'
  readonly code: DomainError['code'] | null
  readonly reason: string | null
}

/**
 * Does one act to every claim that allows it. All of them are locked before the first is judged,
 * so a verdict says what happens, whoever works on the same claims, and no statement can fail for
 * one of them alone. Each claim that was changed has its own audit entry.
 */
export async function changeManyClaims(
  tx: Queryable,
  { now }: Author,
  { act, ids }: ManyClaims,
  batchId: string,
): Promise<Outcome<readonly Verdict[]>> {
  const found = new Map((await lockClaims(tx, ids)).map((claim) => [claim.id, claim]))
  const verdicts = ids.map((id) => verdictOf(id, found.get(id), act))
  const done = verdicts.flatMap(({ id, verdict }) => {
    const claim = found.get(id)
    return verdict === 'done' && claim !== undefined ? [claim] : []
  })
  if (done.length === 0) return { answer: verdicts }
  const doneIds = done.map(({ id }) => id)
  if (act === 'approve') await setClaimStatus(tx, doneIds, 'completed', now)
  else await hideClaims(tx, doneIds, batchId, now)
  return {
    answer: verdicts,
    audit: done.map((claim) => entryOf(claim, act, batchId)),
    events: changedUsers([...new Set(done.map(({ userId }) => userId))]),
  }
}

function verdictOf(id: number, claim: NamedClaim | undefined, act: ManyClaims['act']): Verdict {
  const refusal =
    claim === undefined
      ? notFound()
      : act === 'approve'
        ? claimStepRefusal(claim.status, 'completed')
        : undefined
  return {
    id,
    claimId: claim?.claimId ?? null,
    verdict: refusal === undefined ? 'done' : 'refused',
    code: refusal?.code ?? null,
    reason: refusal?.message ?? null,
  }
}

function entryOf({ id, status }: NamedClaim, act: ManyClaims['act'], batchId: string): AuditEntry {
  return {
    action: act === 'approve' ? 'claim.update' : 'claim.delete',
    targetType: 'claim',
    targetId: String(id),
    before: { status },
    ...(act === 'approve' && { after: { status: 'completed' } }),
    batchId,
  }
}
