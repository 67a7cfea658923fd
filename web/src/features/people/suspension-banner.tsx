// What a suspended person sees on every screen: why, until when, and a way to answer staff once.

import { type SessionUser, standingContract, standingTextMax } from '@redpack/contract'
import { MessageSquare, PauseCircle } from 'lucide-react'
import { type FormEvent, useEffect, useReducer, useState } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { useCall } from '../../lib/use-call.ts'
import { toastDone, toastFailed } from '../../ui/feedback/outcome.ts'
import { Button } from '../../ui/form/button.tsx'
import { TextAreaField } from '../../ui/form/text-field.tsx'
import { FormActions, FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { useSession } from '../session/queries.ts'

type Suspension = SessionUser['suspension']

/** The longest wait that a browser knows; longer ones are begun again with the next answer. */
const waitMsMax = 2 ** 31 - 1

/** True while a suspension holds; turns false by itself. */
export function useIsSuspended(suspension: Suspension): boolean {
  const [, lookAgain] = useReducer((count: number) => count + 1, 0)
  const until = suspension?.until ?? null
  useEffect(() => {
    if (until === null) return
    const leftMs = Date.parse(until) - Date.now()
    if (leftMs <= 0) return
    const timer = window.setTimeout(lookAgain, Math.min(leftMs + 1, waitMsMax))
    return () => window.clearTimeout(timer)
  }, [until])
  return suspension !== null && (until === null || Date.parse(until) > Date.now())
}

export function SuspensionBanner() {
  const { user } = useSession()
  const suspension = user?.suspension ?? null
  const isHolding = useIsSuspended(suspension)
  const [isAnswering, setAnswering] = useState(false)
  return (
    <div role="status">
      {suspension && isHolding && (
        <div className="border-b border-warning bg-raised">
          <div className="mx-auto flex w-full max-w-page flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-6">
            <PauseCircle aria-hidden="true" className="size-5 flex-none text-warning" />
            <div className="min-w-0 flex-1 basis-64">
              <p className="font-semibold">
                Your account is suspended
                {suspension.until !== null && ` until ${formatDateTime(suspension.until)}`}
              </p>
              <p className="text-sm wrap-anywhere">Reason: {suspension.reason}</p>
              <p className="text-sm text-muted">
                Opening, buying and earning pause. What is yours stays yours, and you can read
                everything, say where your prizes go, and download your data.
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
    </div>
  )
}

function AnswerDialog({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('')
  const send = useCall(standingContract.answer)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '' || send.isPending) return
    send.mutate(
      { body: { text } },
      {
        onSuccess: () => {
          toastDone('Your answer was sent')
          onClose()
        },
        onError: (error) => toastFailed('Error', error, 'Failed to send your answer'),
      },
    )
  }
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Answer to your suspension"
      description="Staff read it beside the suspension. You can write once."
      isUnsaved={text !== ''}
    >
      <form onSubmit={submit}>
        <TextAreaField
          label="Answer"
          rows={5}
          required
          maxLength={standingTextMax}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <FormActions
          submitLabel="Send answer"
          pendingLabel="Sending..."
          isPending={send.isPending}
        />
      </form>
    </FormDialog>
  )
}
