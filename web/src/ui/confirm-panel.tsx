// The panel of a question before something that cannot be undone.

import { TriangleAlert } from 'lucide-react'
import { AlertDialog } from 'radix-ui'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { useFocusReturn } from './dialog-shell.ts'

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

/** A modal question. A press outside does not answer it; Escape cancels. The caller closes it. */
export function ConfirmPanel({
  isOpen,
  onOpenChange,
  title,
  description,
  confirmLabel,
  cancelLabel = 'Cancel',
  onConfirm,
  tone = 'danger',
  isPending = false,
  canConfirm = true,
  children,
}: ConfirmDialogProps) {
  const returnFocus = useFocusReturn(isOpen)
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={onOpenChange}>
      <AlertDialog.Portal>
        <div
          aria-hidden="true"
          data-state={isOpen ? 'open' : 'closed'}
          className="overlay z-dialog"
        />
        <AlertDialog.Content
          aria-modal="true"
          onCloseAutoFocus={returnFocus}
          className="card on-card panel-center fixed inset-0 z-dialog m-auto h-fit max-h-[calc(100dvh-2rem)] w-[min(28rem,calc(100vw-2rem))] overflow-y-auto rounded-stage p-6 focus:outline-none"
        >
          <AlertDialog.Title className="flex items-center gap-2 text-xl">
            {tone === 'danger' && (
              <TriangleAlert aria-hidden="true" className="size-6 flex-none text-danger" />
            )}
            <span className="min-w-0 break-words">{title}</span>
          </AlertDialog.Title>
          <AlertDialog.Description className="mt-2 text-muted">
            {description}
          </AlertDialog.Description>
          {children && <div className="mt-4">{children}</div>}
          <div className="mt-6 flex flex-wrap justify-end gap-3">
            <AlertDialog.Cancel asChild>
              <Button tone="secondary">{cancelLabel}</Button>
            </AlertDialog.Cancel>
            <Button tone={tone} onClick={onConfirm} isPending={isPending} disabled={!canConfirm}>
              {confirmLabel}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
