// Terms and their values, one pair in a row.

import type { ReactNode } from 'react'

export interface FactsProps {
  /** One after the other in a line, for what is only glanced at. */
  readonly isLine?: boolean
  readonly children: ReactNode
}

export function Facts({ isLine = false, children }: FactsProps) {
  return (
    <dl
      className={
        isLine
          ? 'flex flex-wrap gap-x-6 text-sm [&>div]:gap-x-2 [&>div]:py-1'
          : 'grid divide-y divide-line'
      }
    >
      {children}
    </dl>
  )
}

export interface FactProps {
  readonly term: ReactNode
  readonly children: ReactNode
}

export function Fact({ term, children }: FactProps) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 py-2.5">
      <dt className="text-muted">{term}</dt>
      <dd className="min-w-0 break-words font-medium tabular-nums">{children}</dd>
    </div>
  )
}
