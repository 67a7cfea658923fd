// Asks before something that hits everybody and cannot be taken back: words have to be typed first.

import { useState } from 'react'
import { entered, TextField, verbatim } from '../form/text-field.tsx'
import { ConfirmDialog } from './dialog.tsx'
import type { ConfirmDialogProps } from './dialog-panel.tsx'

export interface TypedConfirmDialogProps extends ConfirmDialogProps {
  /** What has to be typed, in upper or lower case. */
  readonly phrase: string
}

export function TypedConfirmDialog(props: TypedConfirmDialogProps) {
  const { phrase, canConfirm = true, children, ...rest } = props
  const [typed, setTyped] = useFreshText(rest.isOpen ?? true)
  const isTyped = typed.trim().toLowerCase() === phrase.toLowerCase()
  return (
    <ConfirmDialog {...rest} canConfirm={canConfirm && isTyped}>
      {children}
      <TextField
        label={`Type ${phrase} to confirm`}
        fieldClassName={children ? 'mt-4' : undefined}
        {...verbatim}
        autoCapitalize={phrase === phrase.toUpperCase() ? 'characters' : 'off'}
        {...entered(typed, setTyped)}
      />
    </ConfirmDialog>
  )
}

/** A text that is empty again whenever the question is closed, so that each starts anew. */
export function useFreshText(isOpen: boolean): readonly [string, (text: string) => void] {
  const [text, setText] = useState('')
  if (!isOpen && text !== '') setText('')
  return [text, setText]
}
