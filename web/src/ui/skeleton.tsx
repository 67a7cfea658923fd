// The shape of what is coming, once waiting has become noticeable.

import type { ReactNode } from 'react'
import { cn } from '../lib/class-names.ts'

/** A grey box; give it the size of what will stand there. Shown after 150 ms (class `skeleton`). */
export function Skeleton({ className }: { readonly className?: string }) {
  return <span aria-hidden="true" className={cn('skeleton', className)} />
}

export interface LoadingProps {
  /** What is loading, for those who do not see the shapes. */
  readonly label: string
  readonly className?: string
  readonly children: ReactNode
}

/** A part of the page that is still loading. */
export function Loading({ label, className, children }: LoadingProps) {
  return (
    <div aria-busy="true" className={className}>
      <span role="status" className="sr-only">
        {label}
      </span>
      {children}
    </div>
  )
}
