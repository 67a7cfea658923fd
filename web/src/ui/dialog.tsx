// The dialog: what screens say of it. Its panel is code that comes with the first press on the page.

import type { ReactNode } from 'react'
import { useScrollLock } from './dialog-shell.ts'
import { partOnDemand, useOpened } from './on-demand.tsx'

export type DialogShape = 'center' | 'left' | 'bottom'

export interface DialogProps {
  readonly isOpen: boolean
  /** Called with false when the person closes it. */
  readonly onOpenChange: (isOpen: boolean) => void
  readonly title: ReactNode
  readonly description?: ReactNode
  readonly children: ReactNode
  readonly shape?: DialogShape
  /** True keeps title and description for those who do not see them. */
  readonly isHeaderHidden?: boolean
  /** Wider than the usual 32rem, in the middle only. */
  readonly isWide?: boolean
  readonly className?: string
}

/** The code of the panel, which tests fetch ahead. */
export const dialogPanel = partOnDemand<DialogProps>(
  async () => (await import('./dialog-panel.tsx')).DialogPanel,
)

/**
 * A modal dialog, labelled by its title. Escape, the close button and a press outside close it; the
 * focus then returns to what opened it.
 */
export function Dialog(props: DialogProps) {
  // It counts as open from the press on, also while its code is on the way.
  useScrollLock(props.isOpen)
  const Panel = useOpened(dialogPanel, props)
  return Panel && <Panel {...props} />
}

/** The row of buttons at the end of a dialog. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className="mt-6 flex flex-wrap justify-end gap-3">{children}</div>
}
