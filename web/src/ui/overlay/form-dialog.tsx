// A dialog around a form: what was typed is not lost by a press beside it.

import { createContext, type ReactNode, useContext, useState } from 'react'
import { Button } from '../form/button.tsx'
import { SharedNotice, type SharedRecord } from '../form/shared-record.tsx'
import { ConfirmDialog, Dialog } from './dialog.tsx'

export interface FormDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: ReactNode
  readonly description?: ReactNode
  /** True asks before what was typed is thrown away. */
  readonly isUnsaved: boolean
  readonly isWide?: boolean
  readonly children: ReactNode
}

/** Closes the dialog around, and asks first when something was entered. */
const Leave = createContext(() => {})

export function FormDialog({ isOpen, onClose, isUnsaved, children, ...rest }: FormDialogProps) {
  const [isAsking, setAsking] = useState(false)
  const close = () => {
    setAsking(false)
    onClose()
  }
  const leave = () => (isUnsaved ? setAsking(true) : close())
  return (
    <>
      <Dialog
        {...rest}
        className="scroll-pb-64"
        isOpen={isOpen}
        onOpenChange={(next) => !next && leave()}
      >
        <Leave value={leave}>{children}</Leave>
      </Dialog>
      <ConfirmDialog
        isOpen={isOpen && isAsking}
        onOpenChange={setAsking}
        title="Discard your changes?"
        description="What you have entered here is not saved. It is lost when you close this."
        confirmLabel="Discard"
        cancelLabel="Keep editing"
        onConfirm={close}
      />
    </>
  )
}

export interface FormActionsProps {
  readonly submitLabel: string
  /** Stands on the button while the answer is awaited, for example 'Saving...'. */
  readonly pendingLabel: string
  readonly isPending: boolean
  /** What somebody else has done to the record meanwhile. */
  readonly shared?: SharedRecord
}

/** Cancel and the button that sends the form around it, within reach however long the form is. */
export function FormActions({ submitLabel, pendingLabel, isPending, shared }: FormActionsProps) {
  const leave = useContext(Leave)
  return (
    <div
      data-bar
      className="sticky -bottom-6 z-1 mx-[-1.5rem] mt-6 -mb-6 flex flex-wrap justify-end gap-3 border-t border-line bg-surface px-6 py-4"
    >
      {shared && <SharedNotice {...shared} />}
      <Button tone="secondary" onClick={leave} disabled={isPending}>
        Cancel
      </Button>
      <Button type="submit" isPending={isPending}>
        {isPending ? pendingLabel : submitLabel}
      </Button>
    </div>
  )
}
