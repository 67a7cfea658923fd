// A sentence in a box that should be seen before going on: a warning, or a plain word.

import { CircleAlert, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '../../lib/class-names.ts'

const looks = {
  info: { Icon: Info, look: 'border-info [&>svg]:text-info' },
  warning: { Icon: TriangleAlert, look: 'border-warning [&>svg]:text-warning' },
  danger: { Icon: CircleAlert, look: 'border-danger [&>svg]:text-danger' },
}

export interface NoticeProps {
  readonly tone: keyof typeof looks
  /** `alert` is read at once, `status` when the reader is free, absent only in its place. */
  readonly role?: 'alert' | 'status'
  readonly children: ReactNode
  readonly className?: string
}

export function Notice({ tone, role, children, className }: NoticeProps) {
  const { Icon, look } = looks[tone]
  return (
    <div
      role={role}
      className={cn(
        'flex gap-2.5 rounded-control border bg-raised px-3 py-2.5 text-sm [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:flex-none',
        look,
        className,
      )}
    >
      <Icon />
      <div className="min-w-0 break-words">{children}</div>
    </div>
  )
}
