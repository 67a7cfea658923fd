// Asks before something is taken from everyone: says how much it is, wants a phrase and a moment.

import { useEffect, useState } from 'react'
import { Notice } from '../../ui/feedback/notice.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import { useFreshText } from '../../ui/overlay/typed-confirm-dialog.tsx'

/** How long the button stays disabled at least, in milliseconds. */
export const thinkingMs = 3000

export interface RemoveAllDialogProps {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  readonly title: string
  readonly question: string
  /** What would be taken, from how many; undefined while that is being counted. */
  readonly effect: string | undefined
  readonly phrase: string
  readonly isPending: boolean
  readonly onConfirm: () => void
}

export function RemoveAllDialog(props: RemoveAllDialogProps) {
  const { isOpen, phrase } = props
  const [typed, setTyped] = useFreshText(isOpen)
  const [hasWaited, setWaited] = useState(false)
  useEffect(() => {
    setWaited(false)
    if (!isOpen) return
    const timer = window.setTimeout(() => setWaited(true), thinkingMs)
    return () => window.clearTimeout(timer)
  }, [isOpen])
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onOpenChange={props.onOpenChange}
      title={props.title}
      description={props.question}
      confirmLabel="Confirm"
      onConfirm={props.onConfirm}
      isPending={props.isPending}
      canConfirm={hasWaited && typed.trim().toUpperCase() === phrase}
    >
      <Notice tone="danger" className="mb-4">
        {props.effect === undefined ? 'Counting what this takes...' : `This takes ${props.effect}.`}
      </Notice>
      <TextField
        label={`Type ${phrase} to confirm`}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </ConfirmDialog>
  )
}
