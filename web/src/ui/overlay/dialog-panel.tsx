// The panel of a dialog in its three shapes (in the middle, below the end of the bar, a sheet from
// the left), and that of a question before something that cannot be undone.

import { TriangleAlert, X } from 'lucide-react'
import { AlertDialog, Dialog as Primitive } from 'radix-ui'
import type { MouseEvent, ReactNode } from 'react'
import { cn } from '../../lib/class-names.ts'
import { Button, IconButton } from '../form/button.tsx'
import { closeAtEscape, focusBeforeCross, useFocusReturn } from './dialog-shell.ts'
import type { Openable } from './lazy-component.tsx'

export type DialogShape = 'center' | 'bar' | 'left'

export interface DialogProps extends Openable {
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

const shapes: Record<DialogShape, string> = {
  center: 'panel-center inset-0 m-auto h-fit max-h-[calc(100dvh-2rem)] rounded-stage z-dialog',
  bar: 'panel-center top-18 end-[max(0.75rem,calc(50vw-43.5rem))] max-h-[calc(100dvh-5.5rem)] w-[min(26rem,calc(100vw-1.5rem))] rounded-card z-dialog shadow-[0_12px_32px_-8px_rgb(0_0_0/60%)]',
  left: 'data-[state=open]:animate-[slide-in-start_200ms_ease-out] data-[state=closed]:animate-[slide-out-start_160ms_var(--ease-exit)_forwards] inset-y-0 start-0 w-3/4 max-w-[384px] rounded-none border-y-0 border-s-0 z-sheet',
}

const usual = 'w-[min(32rem,calc(100vw-2rem))]'
const wide = 'w-[min(56rem,calc(100vw-2rem))]'

/**
 * A modal dialog, labelled by its title. Escape, the close button and a press outside close it; the
 * focus then returns to what opened it.
 */
export function DialogPanel({
  isOpen = true,
  onOpenChange,
  title,
  description,
  children,
  shape = 'center',
  isHeaderHidden = false,
  isWide = false,
  className,
}: DialogProps) {
  const returnFocus = useFocusReturn(isOpen)
  return (
    <Primitive.Root open={isOpen} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        {shape !== 'bar' && <Shade isOpen={isOpen} isUnderSheet={shape !== 'center'} />}
        <Primitive.Content
          onOpenAutoFocus={focusBeforeCross}
          onCloseAutoFocus={returnFocus}
          onKeyDown={closeAtEscape(onOpenChange)}
          {...(description === undefined && { 'aria-describedby': undefined })}
          className={cn(
            'card dialog on-card fixed overflow-y-auto overscroll-contain p-6 focus:outline-none',
            shapes[shape],
            shape === 'center' && (isWide ? wide : usual),
            className,
          )}
        >
          <div className={isHeaderHidden ? 'sr-only' : 'mb-5'}>
            <Primitive.Title className="pe-10 text-2xl">{title}</Primitive.Title>
            {description !== undefined && (
              <Primitive.Description className="mt-1 text-muted">
                {description}
              </Primitive.Description>
            )}
          </div>
          {children}
          <Primitive.Close asChild>
            <IconButton label="Close" className="absolute end-3 top-3" icon={X} />
          </Primitive.Close>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

/** The dark between a dialog and the page. */
function Shade({ isOpen, isUnderSheet }: { isOpen: boolean; isUnderSheet: boolean }) {
  return (
    <div
      aria-hidden="true"
      data-state={isOpen ? 'open' : 'closed'}
      className={cn(
        'fixed inset-0 bg-[rgb(0_0_0/65%)] data-[state=closed]:animate-[fade-out_120ms_forwards] data-[state=open]:animate-[fade-in_200ms]',
        isUnderSheet ? 'z-sheet' : 'z-dialog',
      )}
    />
  )
}

export interface ConfirmDialogProps extends Pick<DialogProps, keyof Openable | 'title'> {
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
  isOpen = true,
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
  // Whoever double-clicks what asks, and has the question appear there, has answered nothing.
  const confirm = ({ detail }: MouseEvent) => {
    if (detail < 2) onConfirm()
  }
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={onOpenChange}>
      <AlertDialog.Portal>
        <Shade isOpen={isOpen} isUnderSheet={false} />
        <AlertDialog.Content
          aria-modal="true"
          onCloseAutoFocus={returnFocus}
          onKeyDown={closeAtEscape(onOpenChange)}
          className="card on-card panel-center fixed inset-0 z-dialog m-auto h-fit max-h-[calc(100dvh-2rem)] w-[min(28rem,calc(100vw-2rem))] overflow-y-auto rounded-stage p-6 focus:outline-none"
        >
          <AlertDialog.Title className="flex items-center gap-2 text-xl">
            {tone === 'danger' && <TriangleAlert className="size-6 flex-none text-danger" />}
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
            <Button tone={tone} onClick={confirm} isPending={isPending} disabled={!canConfirm}>
              {confirmLabel}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
