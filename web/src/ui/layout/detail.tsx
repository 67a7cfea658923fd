// A term and its value: in two columns, at both ends of a row, or as a figure in a box of its own.

import type { PropsWithChildren } from 'react'

type TermProps = PropsWithChildren<{ readonly term: string }>

/** Side by side in a list of two columns. */
export function Detail({ term, children }: TermProps) {
  return (
    <>
      <dt className="text-muted max-sm:-mb-2 max-sm:text-sm">{term}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  )
}

/** At both ends of a row with a line below it. */
export function Fact({ term, children }: TermProps) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-b border-line py-2.5">
      <dt className="text-muted">{term}</dt>
      <dd className="min-w-0 text-end wrap-anywhere tabular-nums">{children || '–'}</dd>
    </div>
  )
}

export function Figure({ term, children }: TermProps) {
  return (
    <div className="min-w-0 rounded-control border border-line p-3">
      <dt className="text-sm text-muted">{term}</dt>
      <dd className="break-words font-display text-lg font-semibold tabular-nums">{children}</dd>
    </div>
  )
}
