// The prize form in its two modes, create and edit: its values, and what saving does.

import { zodResolver } from '@hookform/resolvers/zod'
import type { AdminPrize } from '@redpack/contract'
import { type Path, type UseFormReturn, useForm } from 'react-hook-form'
import { ApiError } from '../../lib/api-error.ts'
import { isUnchanged, toastDone, toastFailed } from '../../ui/outcome-toast.ts'
import {
  changeOf,
  draftOf,
  newPrizeDraft,
  type PrizeDraft,
  PrizeForm,
  type PrizeRequest,
} from './prize-form-values.ts'
import { useCreatePrize, useUpdatePrize } from './prize-queries.ts'

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

/** Shows the server's sentences at the fields they are about. */
function showFieldErrors(form: PrizeFormReturn, error: unknown): void {
  if (!(error instanceof ApiError)) return
  for (const path of fieldPaths) {
    if (error.fields[path]) form.setError(path, { message: error.fields[path] })
  }
}

/** Edits `prize`, or creates one when it is absent; `onDone` is called once it is saved. */
export function usePrizeForm(
  prize: AdminPrize | undefined,
  defaultTotalPacks: number,
  onDone: () => void,
) {
  const create = useCreatePrize()
  const update = useUpdatePrize()
  const form = useForm<PrizeDraft, unknown, PrizeRequest>({
    resolver: zodResolver(PrizeForm),
    defaultValues: prize ? draftOf(prize) : newPrizeDraft(defaultTotalPacks),
  })
  const save = form.handleSubmit(async (request) => {
    const word = prize ? 'update' : 'create'
    try {
      if (prize) {
        const change = changeOf(request, prize)
        if (isUnchanged(change)) return onDone()
        await update.mutateAsync({ id: prize.id, change })
      } else await create.mutateAsync(request)
      toastDone(`Prize ${word}d successfully`)
      onDone()
    } catch (error) {
      showFieldErrors(form, error)
      toastFailed(
        prize ? 'Error updating prize' : 'Error creating prize',
        error,
        `Failed to ${word} prize`,
      )
    }
  })
  return { form, save, isSaving: create.isPending || update.isPending }
}
