// The title of a panel of staff; the panel's section is named by it.

import type { ReactNode } from 'react'
import { cn } from '../lib/class-names.ts'
import { RefreshingDot } from './refreshing-dot.tsx'

export interface PanelTitleProps {
  /** What the section says in `aria-labelledby`. */
  readonly id: string
  readonly className?: string
  readonly children: ReactNode
}

/** A title alone; as high as the row of a `PanelHeader`. */
export function PanelTitle({ id, className, children }: PanelTitleProps) {
  return (
    <h2 id={id} className={cn(className, 'flex min-h-11 items-center text-2xl')}>
      {children}
    </h2>
  )
}

export interface PanelHeaderProps extends PanelTitleProps {
  readonly title: string
  /** Newer data is on its way; left out where the panel says so elsewhere. */
  readonly isRefreshing?: boolean
}

/** A title with buttons at the end of its row. It can take the focus of what was removed below. */
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
