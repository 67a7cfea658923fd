// What saving the form would do to the packs, as the server counts it.

import { useWatch } from 'react-hook-form'
import { Notice } from '../../ui/feedback/notice.tsx'
import { previewSentences, useEconomyPreview } from '../books/economy-queries.ts'
import { type PrizeDraft, requestOf } from './prize-form-values.ts'
import type { PrizeFormReturn } from './use-prize-form.ts'

export interface PrizePreviewProps {
  readonly form: PrizeFormReturn
  /** Id of the prize that is edited, 0 for a new one. */
  readonly prizeId: number
}

/** Nothing while no pack type is ticked or the server has no answer. */
export function PrizePreview({ form, prizeId }: PrizePreviewProps) {
  const draft = useWatch({ control: form.control }) as PrizeDraft
  const {
    name,
    winFrequency = 1,
    totalPacks = 1,
    redCoinAmount,
    packTypeId,
    packQuantity,
    ...rest
  } = requestOf(draft)
  const { inventoryQuantity, packTypeIds, isActive } = rest
  const preview = useEconomyPreview(
    packTypeIds.length === 0
      ? undefined
      : {
          prize: {
            prizeId: prizeId === 0 ? null : prizeId,
            ...{ name, winFrequency, totalPacks, redCoinAmount, packTypeId, packQuantity },
            ...{ inventoryQuantity, packTypeIds, isActive },
          },
        },
  )
  const { averages, warnings } = previewSentences(preview, true)
  return (
    <>
      {averages.map(({ packTypeId: id, sentence }) => (
        <p key={id} className="text-sm text-muted">
          {sentence}
        </p>
      ))}
      {warnings.map(({ key, message }) => (
        <Notice key={key} tone="warning" role="status">
          {message}
        </Notice>
      ))}
    </>
  )
}
