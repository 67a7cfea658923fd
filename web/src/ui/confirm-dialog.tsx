// Asks before something that cannot be undone. Its panel is code that comes with the first press on
// the page.

import type { ConfirmDialogProps } from './confirm-panel.tsx'
import { useScrollLock } from './dialog-shell.ts'
import { partOnDemand, useOpened } from './on-demand.tsx'

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
