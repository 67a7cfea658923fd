// Terms and their values, one pair in a row.

import type { ReactNode } from 'react'

export function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className="grid divide-y divide-line">{children}</dl>
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
