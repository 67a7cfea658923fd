// The headings of screens and of panels, and the dot that says newer data is on its way.

import type { ReactNode } from 'react'
import { cn } from '../../lib/class-names.ts'

export interface PageHeadingProps {
  readonly title: ReactNode
  readonly description?: ReactNode
  /** Stands at the end of the row. */
  readonly action?: ReactNode
}

export function PageHeading({ title, description, action }: PageHeadingProps) {
  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-4">
      <div className="min-w-0 flex-[1_1_12rem]">
        <h1 tabIndex={-1} className="text-3xl">
          {title}
        </h1>
        {description && <p className="mt-1 text-lg text-muted">{description}</p>}
      </div>
      {action}
    </header>
  )
}

export interface PanelHeaderProps {
  /** What the section says in `aria-labelledby`. */
  readonly id: string
  readonly title: string
  /** Newer data is on its way; left out where the panel says so elsewhere. */
  readonly isRefreshing?: boolean
  readonly className?: string
  /** Buttons at the end of the row. */
  readonly children?: ReactNode
}

/** The title of a panel. It can take the focus of what was removed below. */
export function PanelHeader({ id, title, isRefreshing, className, children }: PanelHeaderProps) {
  return (
    <div className={cn(className, 'flex min-h-11 flex-wrap items-center justify-between gap-3')}>
      <h2 id={id} tabIndex={-1} className="flex items-center gap-2 text-2xl">
        {title}
        {isRefreshing !== undefined && <RefreshingDot isShown={isRefreshing} />}
      </h2>
      {children}
    </div>
  )
}

/** Takes its room whether or not it shows, so that nothing moves. */
export function RefreshingDot({ isShown }: { readonly isShown: boolean }) {
  return (
    <span className="inline-grid size-4 place-items-center">
      {isShown && (
        <>
          <span
            aria-hidden="true"
            title="Refreshing"
            className="size-2 animate-pulse rounded-full bg-secondary-graphic"
          />
          <span className="sr-only">Refreshing</span>
        </>
      )}
    </span>
  )
}
