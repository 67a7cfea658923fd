// A table to read, for what has few rows; on a narrow window it scrolls by itself.

import type { ReactNode } from 'react'
import { cn } from '../../lib/class-names.ts'

export interface PlainTableProps {
  readonly label: string
  readonly heads: readonly string[]
  /** How wide it is at least. */
  readonly className: string
  readonly bodyClassName?: string
  /** Its rows. */
  readonly children: ReactNode
}

export function PlainTable({ label, heads, className, bodyClassName, children }: PlainTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <section aria-label={label} tabIndex={0} className="overflow-x-auto">
      <table className={cn('w-full text-sm', className)}>
        <thead className="text-muted">
          <tr className="border-b border-line [&>th]:py-2 [&>th:not(:last-child)]:pe-3 [&>th]:text-start [&>th]:font-medium">
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody
          className={cn(
            'divide-y divide-line [&_td]:py-2 [&_td:not(:last-child)]:pe-3',
            bodyClassName,
          )}
        >
          {children}
        </tbody>
      </table>
    </section>
  )
}
