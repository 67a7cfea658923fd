// What staff do to claims: the question that is open, the acts themselves, and how each one ended.

import type { AdminClaim } from '@redpack/contract'
import { useReducer, useState } from 'react'
import { messageOf } from '../../lib/api-error.ts'
import { changedTopics } from '../../lib/changed-topics.ts'
import { plural } from '../../lib/format.ts'
import { toastDone, toastFailed } from '../../ui/outcome-toast.ts'
import { claimIdOf } from './staff-claim-words.ts'
import {
  useApproveClaim,
  useDeleteAllClaims,
  useDeleteClaim,
  useRestoreClaims,
} from './staff-queries.ts'

export interface ClaimQuestion {
  readonly act: 'approve' | 'delete' | 'delete-all' | 'restore'
  /** Empty for all of them. */
  readonly claims: readonly AdminClaim[]
  readonly onDone?: () => void
}

interface Failure {
  readonly claim: AdminClaim
  readonly error: unknown
}

/** Does one after the other, as each has its own answer, and goes on after one that fails. */
async function each(claims: readonly AdminClaim[], act: (id: number) => Promise<unknown>) {
  const failures: Failure[] = []
  for (const claim of claims) {
    await act(claim.id).catch((error: unknown) => failures.push({ claim, error }))
  }
  // What was refused is another than it looked.
  if (failures.length > 0) changedTopics.announce(['claims'], 'call')
  return failures
}

interface ActWords {
  readonly done: string
  readonly failed: string
  readonly fallback: string
}

/** One act of many claims in one toast: how many went well, and why each of the others did not. */
function report(asked: number, failures: readonly Failure[], words: ActWords): void {
  const [first] = failures
  const done = asked - failures.length
  if (first === undefined) {
    toastDone(
      asked === 1
        ? `Prize claim ${words.done} successfully`
        : `${plural(asked, 'prize claim', 'prize claims')} ${words.done} successfully`,
    )
  } else if (asked === 1) toastFailed(words.failed, first.error, words.fallback)
  else {
    const reasons = failures.map(
      ({ claim, error }) => `${claimIdOf(claim)}: ${messageOf(error, words.fallback)}`,
    )
    const text = [`${done} of ${asked} ${words.done}.`, ...reasons].join('\n')
    toastFailed(words.failed, new Error(text), text)
  }
}

export function useClaimActs() {
  const [question, ask] = useState<ClaimQuestion>()
  const [done, countDone] = useReducer((count: number) => count + 1, 0)
  const [isPending, setPending] = useState(false)
  const approve = useApproveClaim()
  const remove = useDeleteClaim()
  const removeAll = useDeleteAllClaims()
  const restore = useRestoreClaims()

  const approveAll = async (claims: readonly AdminClaim[]) => {
    report(claims.length, await each(claims, approve.mutateAsync), {
      done: 'updated',
      failed: 'Error updating prize claim',
      fallback: 'Failed to update prize claim status',
    })
  }
  const deleteThese = async (claims: readonly AdminClaim[]) => {
    report(claims.length, await each(claims, remove.mutateAsync), {
      done: 'deleted',
      failed: 'Error deleting prize claim',
      fallback: 'Unable to delete prize claim',
    })
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
      const { restoredCount } = await restore.mutateAsync({ ids, reason })
      toastDone(`${plural(restoredCount, 'prize claim', 'prize claims')} restored successfully`)
    } catch (error) {
      toastFailed('Error', error, 'Failed to restore prize claims')
    }
  }

  /** `reason` is said where one is asked for. */
  const confirm = async (reason = '') => {
    if (!question) return
    setPending(true)
    if (question.act === 'approve') await approveAll(question.claims)
    else if (question.act === 'delete') await deleteThese(question.claims)
    else if (question.act === 'restore') await restoreThese(question.claims, reason)
    else await deleteEverything()
    setPending(false)
    countDone()
    question.onDone?.()
    ask(undefined)
  }
  return { question, ask, close: () => ask(undefined), confirm, isPending, done }
}
