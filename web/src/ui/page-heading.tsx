// The one heading of a screen; it takes the focus when the screen opens.

import type { ReactNode } from 'react'

export interface PageHeadingProps {
  readonly title: ReactNode
  readonly description?: ReactNode
  /** Stands at the end of the row. */
  readonly action?: ReactNode
}

export function PageHeading({ title, description, action }: PageHeadingProps) {
  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-4">
      <div className="min-w-0">
        <h1 tabIndex={-1} className="text-3xl">
          {title}
        </h1>
        {description && <p className="mt-1 text-lg text-muted">{description}</p>}
      </div>
      {action}
    </header>
  )
}
