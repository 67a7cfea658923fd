// What staff do to claims: the question that is open, the acts themselves, and how each one ended.

import {
  type AdminClaim,
  adminClaimsContract,
  type ChangeManyClaimsResponse,
  type ClaimAct,
} from '@redpack/contract'
import { useReducer, useState } from 'react'
import { changedTopics } from '../../lib/changed-topics.ts'
import { plural } from '../../lib/format.ts'
import { useCall, useIdempotentCall } from '../../lib/use-call.ts'
import { toastDone, toastFailed } from '../../ui/feedback/outcome.ts'
import type { DeletedRows } from '../../ui/table/deleted-rows.tsx'
import { claimIdOf } from './shared/claim-parts.tsx'
import { useDeleteAllClaims, useDeleteClaim } from './staff-queries.ts'

export interface ClaimQuestion {
  readonly act: ClaimAct | 'delete-all' | 'restore'
  /** Empty for all of them. */
  readonly claims: readonly AdminClaim[]
  readonly onDone?: () => void
}

interface ActWords {
  readonly done: string
  readonly failed: string
  readonly fallback: string
}

const wordsOf = {
  approve: {
    done: 'updated',
    failed: 'Error updating prize claim',
    fallback: 'Failed to update prize claim status',
  },
  delete: {
    done: 'deleted',
    failed: 'Error deleting prize claim',
    fallback: 'Unable to delete prize claim',
  },
} as const satisfies Readonly<Record<ClaimAct, ActWords>>

/** Many claims in one message: how many went well, and why each of the others did not. */
function reportMany(
  { verdicts, doneCount }: ChangeManyClaimsResponse,
  claims: readonly AdminClaim[],
  { done, failed, fallback }: ActWords,
): void {
  const refused = verdicts.filter(({ verdict }) => verdict === 'refused')
  if (refused.length === 0) {
    toastDone(`${plural(doneCount, 'prize claim', 'prize claims')} ${done} successfully`)
    return
  }
  const reasons = refused.map(({ id, reason }) => {
    const claim = claims.find((each) => each.id === id)
    return `${claim ? claimIdOf(claim) : `PR-${id}`}: ${reason ?? fallback}`
  })
  const text = [`${doneCount} of ${verdicts.length} ${done}.`, ...reasons].join('\n')
  toastFailed(failed, new Error(text), text)
}

/** `deleted` keeps the places of the claims that are deleted. */
export function useClaimActs(deleted: DeletedRows<AdminClaim>) {
  const [question, ask] = useState<ClaimQuestion>()
  const [done, countDone] = useReducer((count: number) => count + 1, 0)
  const [isPending, setPending] = useState(false)
  const approve = useCall(adminClaimsContract.update)
  const remove = useDeleteClaim()
  const changeMany = useIdempotentCall(adminClaimsContract.changeMany)
  const removeAll = useDeleteAllClaims()
  const restore = useCall(adminClaimsContract.restore)

  /** One claim is changed by its own call, many by one call that judges each. */
  const change = async (act: ClaimAct, claims: readonly AdminClaim[]) => {
    const words = wordsOf[act]
    const [first] = claims
    if (act === 'delete') for (const claim of claims) deleted.begin(claim, claimIdOf(claim))
    try {
      if (claims.length > 1) {
        const ids = claims.map(({ id }) => id)
        const answer = await changeMany.mutateAsync({ body: { act, ids } })
        const done = answer.verdicts.filter(({ verdict }) => verdict === 'done').map(({ id }) => id)
        for (const claim of claims) {
          if (done.includes(claim.id)) deleted.settle(claim)
          else deleted.giveUp(claim)
        }
        reportMany(answer, claims, words)
      } else if (first !== undefined) {
        const { id } = first
        if (act === 'delete') await remove.mutateAsync(id)
        else await approve.mutateAsync({ params: { id }, body: { status: 'completed' } })
        deleted.settle(first)
        toastDone(`Prize claim ${words.done} successfully: ${claimIdOf(first)}`)
      }
    } catch (error) {
      for (const claim of claims) deleted.giveUp(claim)
      // What was refused is another than it looked.
      changedTopics.announce(['claims'], 'call')
      toastFailed(words.failed, error, words.fallback)
    }
  }
  const deleteEverything = async () => {
    try {
      const { deletedCount } = await removeAll.mutateAsync()
      toastDone(`${plural(deletedCount, 'prize claim', 'prize claims')} deleted successfully`)
    } catch (error) {
      toastFailed('Error deleting all prize claims', error, 'Unable to delete prize claims')
    }
  }

  const restoreThese = async (claims: readonly AdminClaim[], reason: string) => {
    try {
      const ids = claims.map(({ id }) => id)
      const { restoredCount } = await restore.mutateAsync({ body: { ids, reason } })
      toastDone(`${plural(restoredCount, 'prize claim', 'prize claims')} restored successfully`)
    } catch (error) {
      toastFailed('Error', error, 'Failed to restore prize claims')
    }
  }

  /** `reason` is said where one is asked for. */
  const confirm = async (reason = '') => {
    if (!question) return
    setPending(true)
    if (question.act === 'delete-all') await deleteEverything()
    else if (question.act === 'restore') await restoreThese(question.claims, reason)
    else await change(question.act, question.claims)
    setPending(false)
    countDone()
    question.onDone?.()
    ask(undefined)
  }
  return { question, ask, close: () => ask(undefined), confirm, isPending, done }
}
