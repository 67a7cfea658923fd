// Something more, folded away until asked for.

import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '../../lib/class-names.ts'

export interface DisclosureProps {
  readonly summary: ReactNode
  readonly children: ReactNode
  readonly className?: string
  /** True unfolds it, for example since something in it is wrong. */
  readonly isOpen?: boolean
  /** Called when it is unfolded or folded. */
  readonly onToggle?: () => void
}

export function Disclosure({ summary, children, className, isOpen, onToggle }: DisclosureProps) {
  return (
    <details open={isOpen} onToggle={onToggle} className={cn('group', className)}>
      <summary className="inline-flex min-h-11 list-none items-center gap-1.5 text-muted hover:text-ink">
        <ChevronRight className="size-4 flex-none transition-transform group-open:rotate-90" />
        {summary}
      </summary>
      <div className="pt-1">{children}</div>
    </details>
  )
}
