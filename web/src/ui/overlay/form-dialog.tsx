// A dialog that is a form: what was typed is not lost by a press beside it.

import { useBlocker, useLocation } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useSignedIn } from '../../lib/signed-in.ts'
import { Button } from '../form/button.tsx'
import { SharedNotice, type SharedRecord } from '../form/shared-record.tsx'
import { Form, type FormProps } from '../form/text-field.tsx'
import { ConfirmDialog, Dialog } from './dialog.tsx'
import type { DialogProps } from './dialog-panel.tsx'

export interface FormDialogProps
  extends Pick<DialogProps, 'title' | 'description' | 'isWide' | 'children'> {
  readonly onClose: () => void
  /** True asks before what was typed is thrown away. */
  readonly isUnsaved: boolean
  readonly onSubmit: FormProps['onSubmit']
  /** False lets the browser say what is missing. */
  readonly noValidate?: boolean
  readonly className?: string
  readonly submitLabel: string
  /** Stands on the button while the answer is awaited. */
  readonly pendingLabel?: string
  readonly isPending: boolean
  /** What somebody else has done to the record meanwhile. */
  readonly shared?: SharedRecord
}

/**
 * Asks before a dialog with something unsaved is left, also by the way back or a link. `onClose`
 * may change the address in place only: such a change is not asked about.
 * @returns what to do when the dialog is to be closed, and the question
 */
export function useDiscardQuestion(
  isUnsaved: () => boolean,
  onClose: () => void,
  isPending = false,
) {
  const [isAsking, setAsking] = useState(false)
  const href = useLocation({ select: (location) => location.href })
  const discardedAt = useRef<string>(undefined)
  // A dialog that does not stand in the address is still there after the step.
  useEffect(() => {
    if (discardedAt.current === undefined || discardedAt.current === href) return
    discardedAt.current = undefined
    onClose()
  })
  const signedIn = useSignedIn()
  // Once nobody is signed in the page must go.
  const mustAsk = () => !isPending && isUnsaved() && signedIn() !== null
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ action }) => action !== 'REPLACE' && mustAsk(),
    enableBeforeUnload: mustAsk,
    withResolver: true,
  })
  const question = (
    <ConfirmDialog
      isOpen={isAsking || status === 'blocked'}
      onOpenChange={() => {
        setAsking(false)
        reset?.()
      }}
      title="Discard your changes?"
      description="Your changes are not saved. They will be lost if you close this."
      confirmLabel="Discard"
      cancelLabel="Keep editing"
      onConfirm={() => {
        if (proceed === undefined) return onClose()
        discardedAt.current = href
        proceed()
      }}
    />
  )
  const leave = () => {
    // What is being saved is neither lost nor to be closed before its answer.
    if (!isPending) isUnsaved() ? setAsking(true) : onClose()
  }
  return { leave, question }
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
  const { leave, question } = useDiscardQuestion(() => isUnsaved, onClose, isPending)
  return (
    <>
      <Dialog {...rest} className="scroll-pt-24 scroll-pb-64" onOpenChange={leave}>
        <Form autoComplete="off" noValidate={noValidate} onSubmit={onSubmit} className={className}>
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
        </Form>
      </Dialog>
      {question}
    </>
  )
}
