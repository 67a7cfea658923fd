// What a suspended person sees on every screen: why, until when, and a way to answer staff once.

import { standingContract, standingTextMax } from '@redpack/contract'
import { MessageSquare, PauseCircle } from 'lucide-react'
import { useState } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { useCall } from '../../lib/use-call.ts'
import { ending } from '../../ui/feedback/outcome.ts'
import { Button } from '../../ui/form/button.tsx'
import { entered, TextAreaField } from '../../ui/form/text-field.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { useSession } from '../session/queries.ts'

export function SuspensionBanner() {
  const { user } = useSession()
  const suspension = user?.suspension ?? null
  const [isAnswering, setAnswering] = useState(false)
  return (
    <>
      {suspension && (
        <div className="border-b border-warning bg-raised">
          <div className="mx-auto flex w-full max-w-page flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-6">
            <PauseCircle className="mt-0.5 size-5 flex-none self-start text-warning" />
            <div className="min-w-0 flex-1 basis-52">
              <p className="font-semibold">
                Your account is suspended
                {suspension.until !== null && ` until ${formatDateTime(suspension.until)}`}
              </p>
              <p className="text-sm wrap-anywhere">Reason: {suspension.reason}</p>
              <p className="text-sm text-muted">
                Opening, buying and earning are paused. You keep what you have, and you can still
                read everything, add delivery details and download your data.
              </p>
            </div>
            {suspension.answer === null ? (
              <Button icon={MessageSquare} tone="secondary" onClick={() => setAnswering(true)}>
                Answer
              </Button>
            ) : (
              <p className="text-sm text-muted">Your answer was sent to staff.</p>
            )}
          </div>
        </div>
      )}
      {isAnswering && <AnswerDialog onClose={() => setAnswering(false)} />}
    </>
  )
}

export function AnswerDialog({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('')
  const send = useCall(standingContract.answer)
  const submit = () => {
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
        {...entered(text, setText)}
      />
    </FormDialog>
  )
}
