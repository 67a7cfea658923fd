// An amount in the ranking; streamer mode hides the own one.

import { formatNumber } from '../../lib/format.ts'
import { Masked } from '../../ui/media/masked.tsx'

export interface AmountProps {
  readonly amount: number
  readonly isOwn: boolean
}

export function Amount({ amount, isOwn }: AmountProps) {
  const number = <span className="tabular-nums">{formatNumber(amount)}</span>
  return isOwn ? <Masked what="Balance">{number}</Masked> : number
}
