// A dialog that fills the screen and hides the page behind it; it brings its own buttons.

import { Dialog as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'
import { useFocusReturn, useScrollLock } from './dialog-shell.ts'

export interface FullDialogProps {
  /** Called when the person presses Escape. */
  readonly onClose: () => void
  /**
   * Where the focus goes afterwards, for openers that are disabled while the dialog is prepared;
   * to what had the focus before when absent or gone.
   */
  readonly returnTo?: () => HTMLElement | null
  /** Holds a `FullDialogTitle`, which takes the focus first. */
  readonly children: ReactNode
}

/** Open as long as it is mounted. Presses on a toast above it do not close it. */
export function FullDialog({ onClose, returnTo, children }: FullDialogProps) {
  const returnFocus = useFocusReturn(true)
  useScrollLock(true)
  return (
    <Primitive.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Primitive.Portal>
        <Primitive.Content
          aria-describedby={undefined}
          onOpenAutoFocus={focusTitle}
          onInteractOutside={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => {
            const place = returnTo?.()
            place?.focus()
            if (place && document.activeElement === place) event.preventDefault()
            else returnFocus(event)
          }}
          className="fixed inset-0 z-dialog focus:outline-none"
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

function focusTitle(event: Event): void {
  const content = event.currentTarget
  const title = content instanceof Element ? content.querySelector<HTMLElement>('h2') : null
  if (!title) return
  event.preventDefault()
  title.focus()
}

export interface FullDialogTitleProps {
  readonly className?: string
  readonly children: ReactNode
}

export function FullDialogTitle({ className, children }: FullDialogTitleProps) {
  return (
    <Primitive.Title tabIndex={-1} className={className}>
      {children}
    </Primitive.Title>
  )
}
