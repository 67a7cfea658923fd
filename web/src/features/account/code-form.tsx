// One code of the authenticator app, asked for before something is done.

import { type FormEvent, useState } from 'react'
import { messageOf } from '../../lib/api-error.ts'
import { toastError } from '../../ui/feedback/outcome.ts'
import { Button } from '../../ui/form/button.tsx'
import { entered, TextField } from '../../ui/form/text-field.tsx'

const wrongCode = 'Wrong code'

export interface CodeFormProps {
  readonly submitLabel: string
  readonly hint?: string
  readonly isDanger?: boolean
  readonly isPending: boolean
  /** Why the last code was refused. */
  readonly error: Error | null
  /** Fails with what is given as `error`. */
  readonly onSubmit: (code: string) => unknown
  readonly onCancel: () => void
}

export function CodeForm(props: CodeFormProps) {
  const { submitLabel, hint, isDanger = false, isPending, error, onSubmit, onCancel } = props
  const [code, setCode] = useState('')
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    try {
      await onSubmit(code.trim())
    } catch (refusal) {
      // The field says it, unless it has gone meanwhile.
      if (!form.isConnected) toastError(refusal, wrongCode)
    }
  }
  return (
    <form onSubmit={submit} className="grid gap-3">
      <TextField
        label="Code"
        hint={hint ?? 'Six digits from your authenticator app.'}
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        required
        {...entered(code, setCode)}
        error={error ? messageOf(error, wrongCode) : undefined}
        fieldClassName="max-w-64"
      />
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          tone={isDanger ? 'danger' : 'primary'}
          isPending={isPending}
          disabled={code.trim() === ''}
        >
          {submitLabel}
        </Button>
        <Button tone="secondary" onClick={onCancel} disabled={isPending}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
