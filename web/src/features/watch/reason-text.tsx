// Why nothing counts now, with the icon of its kind.

import { CircleCheck, CirclePause, Hourglass, Timer } from 'lucide-react'
import { cn } from '../../lib/class-names.ts'
import type { NotCountingReason } from './not-counting-reason.ts'

const icons = {
  counting: Timer,
  waiting: Hourglass,
  stopped: CirclePause,
  done: CircleCheck,
} as const

const colors = {
  counting: 'text-success',
  waiting: 'text-warning',
  stopped: 'text-idle',
  done: 'text-success',
} as const

export function ReasonText({ why }: { readonly why: NotCountingReason }) {
  const Icon = icons[why.kind]
  return (
    <p className="flex gap-2 text-muted">
      <Icon aria-hidden="true" className={cn('mt-0.5 size-5 flex-none', colors[why.kind])} />
      <span className="min-w-0">{why.text}</span>
    </p>
  )
}
