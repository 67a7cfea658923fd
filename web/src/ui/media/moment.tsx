// When something was: as somebody would say it, and to the minute for whoever points at it.

import { formatDateTime, formatMoment } from '../../lib/format.ts'

export interface MomentProps {
  /** ISO 8601. */
  readonly at: string
  readonly className?: string
}

export function Moment({ at, className }: MomentProps) {
  return (
    <time dateTime={at} title={formatDateTime(at)} className={className}>
      {formatMoment(at)}
    </time>
  )
}
