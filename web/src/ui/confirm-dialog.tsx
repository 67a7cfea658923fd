// Asks before something that cannot be undone. Its panel is code that comes with the first press on
// the page.

import type { ReactNode } from 'react'
import { useScrollLock } from './dialog-shell.ts'
import { partOnDemand, useOpened } from './on-demand.tsx'

export interface ConfirmDialogProps {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  readonly title: ReactNode
  /** Names the object and what is lost. */
  readonly description: ReactNode
  /** The verb, for example 'Delete'. */
  readonly confirmLabel: string
  readonly cancelLabel?: string
  readonly onConfirm: () => void
  readonly tone?: 'danger' | 'primary'
  readonly isPending?: boolean
  /** False keeps the confirming button disabled, for example until a phrase has been typed. */
  readonly canConfirm?: boolean
  /** Stands between the description and the buttons. */
  readonly children?: ReactNode
}

/** The code of the panel, which tests fetch ahead. */
export const confirmPanel = partOnDemand<ConfirmDialogProps>(
  async () => (await import('./confirm-panel.tsx')).ConfirmPanel,
)

/** A modal question. A press outside does not answer it; Escape cancels. The caller closes it. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  // It counts as open from the press on, also while its code is on the way.
  useScrollLock(props.isOpen)
  const Panel = useOpened(confirmPanel, props)
  return Panel && <Panel {...props} />
}
