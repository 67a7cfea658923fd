// The dialog and the question. Their panels are code that comes with the first press on the page.

import type { ReactNode } from 'react'
import { useScrollLock } from './dialog-shell.ts'
import { type LazyComponent, lazyComponent, type Openable, useOpened } from './lazy-component.tsx'

/** The code of the panel, which tests fetch ahead. */
export const dialogPanel = lazyComponent(() => import('./dialog-panel.tsx'), 'DialogPanel')

/**
 * A modal dialog, labelled by its title. Escape, the close button and a press outside close it; the
 * focus then returns to what opened it.
 */
export const Dialog = openedWith(dialogPanel)

/** The row of buttons at the end of a dialog. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className="mt-6 flex flex-wrap justify-end gap-3">{children}</div>
}

/** The code of the panel, which tests fetch ahead. */
export const confirmPanel = lazyComponent(() => import('./dialog-panel.tsx'), 'ConfirmPanel')

/** A modal question. A press outside does not answer it; Escape cancels. The caller closes it. */
export const ConfirmDialog = openedWith(confirmPanel)

function openedWith<Props extends Openable>(part: LazyComponent<Props>) {
  return (props: Props) => {
    // It counts as open from the press on, also while its code is on the way.
    useScrollLock(props.isOpen ?? true)
    const Panel = useOpened(part, props)
    return Panel && <Panel {...props} />
  }
}
