// Asks before something that hits many or cannot be taken back: a word has to be typed first.

import { useState } from 'react'
import { ConfirmDialog } from './confirm-dialog.tsx'
import type { ConfirmDialogProps } from './confirm-panel.tsx'
import { TextField } from './text-field.tsx'

export interface TypedConfirmDialogProps extends Omit<ConfirmDialogProps, 'canConfirm'> {
  /** What has to be typed, in any case; without it the question is a plain one. */
  readonly phrase?: string
}

export function TypedConfirmDialog({ phrase, children, ...rest }: TypedConfirmDialogProps) {
  const [typed, setTyped] = useState('')
  const isTyped = typed.trim().toLowerCase() === phrase?.toLowerCase()
  // Every question starts with an empty field.
  if (!rest.isOpen && typed !== '') setTyped('')
  return (
    <ConfirmDialog {...rest} canConfirm={phrase === undefined || isTyped}>
      {children}
      {phrase !== undefined && (
        <TextField
          label={`Type ${phrase} to confirm`}
          fieldClassName={children ? 'mt-4' : undefined}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
    </ConfirmDialog>
  )
}
