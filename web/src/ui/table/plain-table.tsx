// A table to read, for what has few rows; on a narrow window it scrolls by itself.

import type { ReactNode } from 'react'
import { cn } from '../../lib/class-names.ts'

export interface PlainTableProps {
  readonly label: string
  readonly heads: readonly string[]
  /** How wide it is at least, and how its columns stand. */
  readonly className?: string
  readonly children: ReactNode
}

export function PlainTable({ label, heads, className, children }: PlainTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <section aria-label={label} tabIndex={0} className="overflow-x-auto">
      <table
        aria-label={label}
        className={cn(
          'w-full text-sm [&_:is(th,td)]:py-2 [&_th]:text-start [&_:is(th,td):not(:last-child)]:pe-3',
          className,
        )}
      >
        <thead className="text-muted">
          <tr className="border-b border-line [&>th]:font-medium">
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">{children}</tbody>
      </table>
    </section>
  )
}
