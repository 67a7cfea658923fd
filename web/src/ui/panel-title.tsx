// The title of a panel of staff; the panel's section is named by it.

import type { ReactNode } from 'react'
import { cn } from '../lib/class-names.ts'

export interface PanelTitleProps {
  /** What the section says in `aria-labelledby`. */
  readonly id: string
  readonly className?: string
  readonly children: ReactNode
}

/** As high as the row of buttons that other panels have beside their title. */
export function PanelTitle({ id, className, children }: PanelTitleProps) {
  return (
    <h2 id={id} className={cn(className, 'flex min-h-11 items-center text-2xl')}>
      {children}
    </h2>
  )
}
