// What staff do to claims: the question that is open, the acts themselves, and how each one ended.

import type { AdminClaim } from '@redpack/contract'
import { useCallback, useReducer, useState } from 'react'
import { plural } from '../../lib/format.ts'
import { toastDone, toastFailed } from '../../ui/outcome-toast.ts'
import {
  useApproveClaim,
  useDeleteAllClaims,
  useDeleteClaim,
  useRestoreClaims,
} from './staff-queries.ts'

export interface ClaimQuestion {
  readonly act: 'approve' | 'delete' | 'delete-all'
  /** Empty for all of them. */
  readonly claims: readonly AdminClaim[]
  readonly onDone?: () => void
}

type Restorable = { readonly ids: number[] } | { readonly batchId: string }

/** Does one after the other, as each has its own answer; stops at the first that fails. */
async function each(claims: readonly AdminClaim[], act: (id: number) => Promise<unknown>) {
  for (const { id } of claims) await act(id)
}

export function useClaimActs() {
  const [question, ask] = useState<ClaimQuestion>()
  const [done, countDone] = useReducer((count: number) => count + 1, 0)
  const [isPending, setPending] = useState(false)
  const approve = useApproveClaim()
  const remove = useDeleteClaim()
  const removeAll = useDeleteAllClaims()
  const { mutate: restoreClaims } = useRestoreClaims()

  const restore = useCallback(
    (which: Restorable) =>
      restoreClaims(which, {
        onSuccess: ({ restoredCount }) => {
          countDone()
          toastDone(`${plural(restoredCount, 'prize claim', 'prize claims')} restored successfully`)
        },
        onError: (error) => toastFailed('Error', error, 'Failed to restore prize claims'),
      }),
    [restoreClaims],
  )

  const approveAll = async (claims: readonly AdminClaim[]) => {
    try {
      await each(claims, approve.mutateAsync)
      toastDone(
        claims.length === 1
          ? 'Prize claim updated successfully'
          : `${plural(claims.length, 'prize claim', 'prize claims')} updated successfully`,
      )
    } catch (error) {
      toastFailed('Error updating prize claim', error, 'Failed to update prize claim status')
    }
  }
  const deleteThese = async (claims: readonly AdminClaim[]) => {
    const undo = {
      label: 'Undo',
      onSelect: () => restore({ ids: claims.map(({ id }) => id) }),
    }
    try {
      await each(claims, remove.mutateAsync)
      toastDone(
        claims.length === 1
          ? 'Prize claim deleted successfully'
          : `${plural(claims.length, 'prize claim', 'prize claims')} deleted successfully`,
        undo,
      )
    } catch (error) {
      toastFailed('Error deleting prize claim', error, 'Unable to delete prize claim')
    }
  }
  const deleteEverything = async () => {
    try {
      const { deletedCount, batchId } = await removeAll.mutateAsync()
      toastDone(
        `${plural(deletedCount, 'prize claim', 'prize claims')} deleted successfully`,
        batchId === null ? undefined : { label: 'Undo', onSelect: () => restore({ batchId }) },
      )
    } catch (error) {
      toastFailed('Error deleting all prize claims', error, 'Unable to delete prize claims')
    }
  }

  const confirm = async () => {
    if (!question) return
    setPending(true)
    if (question.act === 'approve') await approveAll(question.claims)
    else if (question.act === 'delete') await deleteThese(question.claims)
    else await deleteEverything()
    setPending(false)
    countDone()
    question.onDone?.()
    ask(undefined)
  }
  return { question, ask, close: () => ask(undefined), confirm, isPending, restore, done }
}
