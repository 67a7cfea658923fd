// Asks before something that hits everybody and cannot be taken back: words have to be typed first.

import { ConfirmDialog } from './confirm-dialog.tsx'
import type { ConfirmDialogProps } from './confirm-panel.tsx'
import { useFreshText } from './fresh-text.ts'
import { TextField } from './text-field.tsx'

export interface TypedConfirmDialogProps extends Omit<ConfirmDialogProps, 'canConfirm'> {
  /** What has to be typed, in upper or lower case. */
  readonly phrase: string
}

export function TypedConfirmDialog({ phrase, children, ...rest }: TypedConfirmDialogProps) {
  const [typed, setTyped] = useFreshText(rest.isOpen)
  const isTyped = typed.trim().toLowerCase() === phrase.toLowerCase()
  return (
    <ConfirmDialog {...rest} canConfirm={isTyped}>
      {children}
      <TextField
        label={`Type ${phrase} to confirm`}
        fieldClassName={children ? 'mt-4' : undefined}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </ConfirmDialog>
  )
}
