// How many packs of a listing are left.

import { CircleSlash, Infinity as Endless, Package } from 'lucide-react'
import { formatNumber } from '../../lib/format.ts'
import { Badge } from '../../ui/feedback/badge.tsx'

/** Undefined stock has no end. */
export function StockBadge({ stock }: { readonly stock: number | undefined }) {
  if (stock === undefined) {
    return (
      <Badge tone="secondary" icon={<Endless aria-hidden="true" />}>
        Unlimited
      </Badge>
    )
  }
  if (stock === 0) {
    return (
      <Badge tone="danger" icon={<CircleSlash aria-hidden="true" />}>
        Out of stock
      </Badge>
    )
  }
  return (
    <Badge tone="neutral" icon={<Package aria-hidden="true" />}>
      {formatNumber(stock)} in stock
    </Badge>
  )
}
