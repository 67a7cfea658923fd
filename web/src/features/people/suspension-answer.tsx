// The one answer of a suspended person to staff.

import { standingContract, standingTextMax } from '@redpack/contract'
import { type FormEvent, useState } from 'react'
import { useIdempotentCall } from '../../lib/use-call.ts'
import { ending } from '../../ui/feedback/outcome.ts'
import { TextAreaField } from '../../ui/form/text-field.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'

export function AnswerDialog({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('')
  const send = useIdempotentCall(standingContract.answer)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '' || send.isPending) return
    send.mutate(
      { body: { text } },
      ending('Your answer was sent', 'Failed to send your answer', onClose),
    )
  }
  return (
    <FormDialog
      onClose={onClose}
      title="Answer to your suspension"
      description="Staff read it with the suspension. You can answer once."
      isUnsaved={text !== ''}
      onSubmit={submit}
      noValidate={false}
      submitLabel="Send answer"
      pendingLabel="Sending..."
      isPending={send.isPending}
    >
      <TextAreaField
        label="Answer"
        rows={5}
        required
        maxLength={standingTextMax}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </FormDialog>
  )
}
