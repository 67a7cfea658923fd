// Warns of a price that is below what its pack pays, while it is being typed.

import { useWatch } from 'react-hook-form'
import { Notice } from '../../ui/notice.tsx'
import { previewSentences, useEconomyPreview } from '../books/economy-queries.ts'
import type { ListingFormReturn } from './use-listing-form.ts'

/** Nothing while there is no pack type and no price, or nothing to warn of. */
export function PricePreview({ form }: { readonly form: ListingFormReturn }) {
  const [packTypeId, price, isActive] = useWatch({
    control: form.control,
    name: ['packTypeId', 'redCoinPrice', 'isActive'],
  })
  const redCoinPrice = Math.trunc(price ?? 0)
  const isComplete = packTypeId !== '' && redCoinPrice >= 1 && isActive
  const preview = useEconomyPreview(
    isComplete ? { price: { packTypeId: Number(packTypeId), redCoinPrice } } : undefined,
  )
  const { warnings } = previewSentences(preview, false)
  return warnings.map(({ key, message }) => (
    <Notice key={key} tone="warning" role="status" className="col-span-full">
      {message}
    </Notice>
  ))
}
