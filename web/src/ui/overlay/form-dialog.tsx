// A dialog that is a form: what was typed is not lost by a press beside it.

import { type FormEventHandler, type ReactNode, useState } from 'react'
import { Button } from '../form/button.tsx'
import { SharedNotice, type SharedRecord } from '../form/shared-record.tsx'
import { ConfirmDialog, Dialog } from './dialog.tsx'

export interface FormDialogProps {
  readonly onClose: () => void
  readonly title: ReactNode
  readonly description?: ReactNode
  /** True asks before what was typed is thrown away. */
  readonly isUnsaved: boolean
  readonly isWide?: boolean
  readonly onSubmit: FormEventHandler<HTMLFormElement>
  /** False lets the browser say what is missing. */
  readonly noValidate?: boolean
  /** How the fields stand. */
  readonly className?: string
  readonly submitLabel: string
  /** Stands on the button while the answer is awaited. */
  readonly pendingLabel?: string
  readonly isPending: boolean
  /** What somebody else has done to the record meanwhile. */
  readonly shared?: SharedRecord
  readonly children: ReactNode
}

/** Open as long as it is mounted. Its two buttons are within reach however long the form is. */
export function FormDialog({
  onClose,
  isUnsaved,
  onSubmit,
  noValidate = true,
  className,
  submitLabel,
  pendingLabel = 'Saving...',
  isPending,
  shared,
  children,
  ...rest
}: FormDialogProps) {
  const [isAsking, setAsking] = useState(false)
  const leave = () => (isUnsaved ? setAsking(true) : onClose())
  return (
    <>
      <Dialog {...rest} className="scroll-pb-64" isOpen onOpenChange={(next) => !next && leave()}>
        <form noValidate={noValidate} onSubmit={onSubmit} className={className}>
          {children}
          <div
            data-bar
            className="sticky -bottom-6 z-1 mx-[-1.5rem] mt-6 -mb-6 flex flex-wrap justify-end gap-3 border-t border-line bg-surface px-6 py-4"
          >
            {shared && <SharedNotice {...shared} />}
            <Button tone="secondary" onClick={leave} disabled={isPending}>
              Cancel
            </Button>
            <Button type="submit" isPending={isPending} pendingLabel={pendingLabel}>
              {submitLabel}
            </Button>
          </div>
        </form>
      </Dialog>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title="Discard your changes?"
        description="What you have entered here is not saved. It is lost when you close this."
        confirmLabel="Discard"
        cancelLabel="Keep editing"
        onConfirm={onClose}
      />
    </>
  )
}
