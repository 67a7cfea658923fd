// The panel of a question before something that cannot be undone.

import { TriangleAlert } from 'lucide-react'
import { AlertDialog } from 'radix-ui'
import { Button } from './button.tsx'
import type { ConfirmDialogProps } from './confirm-dialog.tsx'
import { useFocusReturn } from './dialog-shell.ts'

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
