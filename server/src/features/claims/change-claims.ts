// Moves claims on, keeps their contact details, deletes and restores them; and notes who read them.

import {
  type ChangeManyClaimsRequest,
  type ClaimAct,
  type ClaimVerdict,
  adminClaimsContract as contract,
  type RestoreClaimsRequest,
  type UpdateClaimRequest,
} from '@redpack/contract'
import type { AuditEntry, Author, Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import { existsQuery } from '../../adapters/db/queries.ts'
import type { Encryption } from '../../adapters/encryption/encryption.ts'
import { command, withSentence } from '../../adapters/http/command.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { claimStepRefusal } from '../../rules/claim-steps.ts'
import { statesForStatus } from '../../rules/shipment-moves.ts'
import { DomainError, existing } from '../../shared/domain-error.ts'
import { numberText } from '../../shared/number-text.ts'
import { contactInfoContext } from '../../shared/sealed-text.ts'
import { changedUsers, targetOf } from '../../shared/staff-call.ts'
import {
  hideAllClaims,
  hideClaims,
  holdWinner,
  type LockedClaim,
  lockClaim,
  lockClaims,
  type NamedClaim,
  setClaimStatus,
  showClaims,
  writeContactInfo,
} from './tables.ts'

export function registerClaimChanges(context: FeatureContext): void {
  const { random } = context.deps
  command(context, contract.remove, {
    order: ({ params }) => params.id,
    run: (tx, by, id) => deleteClaim(tx, by, id, random.uuidInOrder()),
  })
  command(context, contract.changeMany, {
    order: ({ body: { act, ids } }) => ({ act, ids: [...new Set(ids)] }),
    run: (tx, by, order) => changeManyClaims(tx, by, order, random.uuidInOrder()),
  })
  command(context, contract.removeAll, {
    order: () => undefined,
    run: (tx, by) => deleteAllClaims(tx, by, random.uuidInOrder()),
  })
  command(context, contract.restore, { order: ({ body }) => body, run: restoreClaims })
}

/** A sentence about so many claims, as an answer begins. */
const succeeded = (claims: string, done: string) =>
  ({ success: true, message: `${claims} prize claim${claims === '1' ? '' : 's'} ${done}` }) as const

/** What is said of a claim that is not there, deleted, or somebody else's. */
export const noClaim = 'Prize claim not found'

/**
 * Changes a claim and answers its row number. `id` is the number or the Claim ID. The log of staff
 * actions says that contact details were changed, and never what they are.
 * @throws DomainError not_found, already_completed, wrong_state
 */
export async function updateClaim(
  tx: Queryable,
  { now }: Author,
  encryption: Encryption,
  id: string,
  { status, contactInfo }: UpdateClaimRequest,
): Promise<Outcome<number>> {
  const keeps = contactInfo !== undefined && contactInfo !== null
  // The user first, as whoever leaves does.
  const hasLeft = keeps && !(await holdWinner(tx, id))
  const claim = existing(await lockClaim(tx, id), noClaim)
  if (hasLeft) throw new DomainError('wrong_state', 'The winner has left')
  if (status !== undefined) {
    const refusal = claimStepRefusal(claim.status, status)
    if (refusal !== undefined) throw refusal
    await setClaimStatus(tx, [claim.id], status, now, statesForStatus(status))
  }
  if (contactInfo !== undefined) {
    const context = contactInfoContext(claim.id)
    const sealed =
      contactInfo === null ? null : encryption.seal(JSON.stringify(contactInfo), context)
    await writeContactInfo(tx, claim.id, sealed, now)
  }
  return {
    answer: claim.id,
    audit: {
      action: 'claim.update',
      ...targetOf('claim', claim.id),
      before: { status: claim.status },
      after: {
        status: status ?? claim.status,
        ...(contactInfo === undefined
          ? {}
          : { contactInfo: contactInfo === null ? 'removed' : 'saved' }),
      },
    },
    events: changedUsers([claim.userId]),
  }
}

/**
 * Deletes a claim, also a completed one. Its stock is not given back, since the prize was
 * won; the claim can be restored.
 * @throws DomainError not_found
 */
export async function deleteClaim(tx: Queryable, { now }: Author, id: string, batchId: string) {
  const claim = existing(await lockClaim(tx, id), noClaim)
  const done = await changeLocked(tx, now, 'delete', [claim], batchId)
  return withSentence({ ...done, answer: undefined }, 'Prize claim deleted')
}

/** Deletes every claim, as one batch that can be restored as a whole. */
async function deleteAllClaims(tx: Queryable, { now }: Author, batchId: string) {
  const { count, userIds } = await hideAllClaims(tx, batchId, now)
  const answer = {
    ...succeeded(numberText(count), 'deleted'),
    deletedCount: count,
    batchId: count === 0 ? null : batchId,
  }
  return {
    answer,
    audit: {
      action: 'claim.delete_all',
      targetType: 'claims',
      targetId: null,
      after: { deleted: count },
      batchId,
    },
    events: changedUsers(userIds),
  }
}

/**
 * Brings deleted claims back as they were, with their status and what is left of their details.
 * @throws DomainError not_found when none of them is deleted
 */
async function restoreClaims(tx: Queryable, { now }: Author, which: RestoreClaimsRequest) {
  const { count, userIds } = await showClaims(tx, which, now)
  if (count === 0) throw new DomainError('not_found', 'No deleted prize claim found')
  const only = which.ids?.length === 1 ? String(which.ids[0]) : null
  return {
    answer: { ...succeeded(numberText(count), 'restored'), restoredCount: count },
    audit: {
      action: 'claim.restore',
      targetType: only === null ? 'claims' : 'claim',
      targetId: only,
      after: { restored: count, ids: which.ids },
      batchId: which.batchId,
      reason: which.reason === '' ? undefined : which.reason,
    },
    events: changedUsers(userIds),
  }
}

/**
 * Does one act to every claim that allows it. All of them are locked before the first is judged,
 * so a verdict says what happens, whoever works on the same claims, and no statement can fail for
 * one of them alone. Each claim that was changed has its own audit entry.
 */
async function changeManyClaims(
  tx: Queryable,
  { now }: Author,
  { act, ids }: ChangeManyClaimsRequest,
  batchId: string,
) {
  const found = new Map((await lockClaims(tx, ids)).map((claim) => [claim.id, claim]))
  const verdicts = ids.map((id) => verdictOf(id, found.get(id), act))
  const done = verdicts.flatMap(({ id, verdict }) => {
    const claim = found.get(id)
    return verdict === 'done' && claim !== undefined ? [claim] : []
  })
  const counted = `${numberText(done.length)} of ${numberText(ids.length)}`
  const answer = {
    ...succeeded(counted, act === 'approve' ? 'approved' : 'deleted'),
    verdicts,
    doneCount: done.length,
    refusedCount: ids.length - done.length,
    batchId: act === 'delete' && done.length > 0 ? batchId : null,
  }
  return { ...(await changeLocked(tx, now, act, done, batchId)), answer }
}

/** Does the act to claims that are locked and allow it. */
async function changeLocked(
  tx: Queryable,
  now: Date,
  act: ClaimAct,
  claims: readonly LockedClaim[],
  batchId: string,
): Promise<Omit<Outcome<unknown>, 'answer'>> {
  const ids = claims.map(({ id }) => id)
  if (act === 'approve') {
    await setClaimStatus(tx, ids, 'completed', now, statesForStatus('completed'))
  } else await hideClaims(tx, ids, batchId, now)
  return {
    audit: claims.map((claim) => entryOf(claim, act, batchId)),
    events: changedUsers([...new Set(claims.map(({ userId }) => userId))]),
  }
}

function verdictOf(id: number, claim: NamedClaim | undefined, act: ClaimAct): ClaimVerdict {
  const refusal =
    claim === undefined
      ? new DomainError('not_found', noClaim)
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

function entryOf({ id, status }: LockedClaim, act: ClaimAct, batchId: string): AuditEntry {
  return {
    action: act === 'approve' ? 'claim.update' : 'claim.delete',
    ...targetOf('claim', id),
    before: { status },
    ...(act === 'approve' && { after: { status: 'completed' } }),
    batchId,
  }
}

const wasNoted = existsQuery<[action: string, targetId: string, actorId: number | null, now: Date]>(
  'was_claim_reading_noted',
  `SELECT 1 AS noted FROM audit_log
   WHERE target_type = 'claim' AND target_id = $2 AND action = $1 AND actor_id = $3
     AND created_at >= date_trunc('day', $4::timestamptz, 'UTC') LIMIT 1`,
)

/**
 * What the log is to say of a reading of delivery details, of one claim or of a list of them: a
 * note for each member of staff and day in UTC, and after it nothing.
 */
export async function noteOfReading(
  tx: Queryable,
  { actorId, now }: Pick<Author, 'actorId' | 'now'>,
  read: number | 'list',
): Promise<AuditEntry | undefined> {
  const action = read === 'list' ? 'claim.read_list' : 'claim.read'
  const targetId = String(read)
  if (await wasNoted(tx, action, targetId, actorId, now)) return undefined
  return { action, targetType: 'claim', targetId }
}

/** What the log is to say of addresses that went out of the product; `after` says which. */
export const noteOfFile = (after: object): AuditEntry => ({
  action: 'claim.read_file',
  targetType: 'claims',
  targetId: null,
  after,
})
