// The prize form in its two modes, create and edit: its values, and what saving does.

import { zodResolver } from '@hookform/resolvers/zod'
import { type AdminPrize, adminPrizesContract } from '@redpack/contract'
import { type Path, type UseFormReturn, useForm } from 'react-hook-form'
import { useKeyedCall } from '../../lib/use-call.ts'
import { isUnchanged, toastDone, toastFailed } from '../../ui/outcome-toast.ts'
import { showFieldErrors } from '../../ui/show-field-errors.ts'
import {
  changeOf,
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
  defaultTotalPacks: number,
  onDone: () => void,
) {
  const create = useKeyedCall(adminPrizesContract.create)
  const update = useKeyedCall(adminPrizesContract.update)
  const form = useForm<PrizeDraft, unknown, PrizeRequest>({
    resolver: zodResolver(PrizeForm),
    defaultValues: prize ? draftOf(prize) : newPrizeDraft(defaultTotalPacks),
  })
  const save = form.handleSubmit(async (request) => {
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
  return { form, save, isSaving: create.isPending || update.isPending }
}
