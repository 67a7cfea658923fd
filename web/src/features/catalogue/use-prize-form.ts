// The prize form in its two modes, create and edit: its values, and what saving does.

import { zodResolver } from '@hookform/resolvers/zod'
import { type AdminPrize, adminPrizesContract } from '@redpack/contract'
import { type FormEvent, useMemo } from 'react'
import { type Path, type UseFormReturn, useForm } from 'react-hook-form'
import { useIdempotentCall } from '../../lib/use-call.ts'
import { isUnchanged, toastDone, toastFailed } from '../../ui/feedback/outcome.ts'
import { fillEmptied } from '../../ui/form/form-fields.tsx'
import { heldBy, useSharedRecord } from '../../ui/form/shared-record.tsx'
import { showFieldErrors } from '../../ui/form/show-field-errors.ts'
import {
  changeOf,
  countedIn,
  draftOf,
  newPrizeDraft,
  type PrizeDraft,
  PrizeForm,
  type PrizeRequest,
} from './prize-form-values.ts'

export type PrizeFormReturn = UseFormReturn<PrizeDraft, unknown, PrizeRequest>

const fieldPaths: readonly Path<PrizeDraft>[] = [
  'name',
  'description',
  'claimInstructions',
  'winFrequency',
  'totalPacks',
  'redCoinAmount',
  'packTypeId',
  'packQuantity',
  'inventoryQuantity',
  'packTypeIds',
]

/** Edits `prize`, or creates one when it is absent; `onDone` is called once it is saved. */
export function usePrizeForm(
  prize: AdminPrize | undefined,
  isGone: boolean,
  defaultTotalPacks: number,
  onDone: () => void,
) {
  const create = useIdempotentCall(adminPrizesContract.create)
  const update = useIdempotentCall(adminPrizesContract.update)
  const stored = useMemo(
    () => (prize ? draftOf(prize) : newPrizeDraft(defaultTotalPacks)),
    [prize, defaultTotalPacks],
  )
  const form = useForm<PrizeDraft, unknown, PrizeRequest>({
    resolver: zodResolver(PrizeForm),
    defaultValues: stored,
  })
  const shared = useSharedRecord(heldBy(form), stored, isGone)
  const submit = form.handleSubmit(async (request) => {
    const word = prize ? 'update' : 'create'
    try {
      if (prize) {
        const body = changeOf(request, prize)
        if (isUnchanged(body)) return onDone()
        await update.mutateAsync({ params: { id: prize.id }, body })
      } else await create.mutateAsync({ body: request })
      toastDone(`Prize ${word}d successfully`)
      onDone()
    } catch (error) {
      showFieldErrors(form, fieldPaths, error)
      toastFailed(
        prize ? 'Error updating prize' : 'Error creating prize',
        error,
        `Failed to ${word} prize`,
      )
    }
  })
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (!fillEmptied(form, countedIn(form.getValues()))) void submit(event)
  }
  return { form, save, shared, isSaving: create.isPending || update.isPending }
}
