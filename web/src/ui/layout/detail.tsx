// A term and its value, side by side in a list of two columns.

import type { PropsWithChildren } from 'react'

export function Detail({ term, children }: PropsWithChildren<{ readonly term: string }>) {
  return (
    <>
      <dt className="text-muted max-sm:-mb-2 max-sm:text-sm">{term}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  )
}
