// Asks for a code again before something that concerns everybody.

import { secondFactorContract } from '@redpack/contract'
import { useEffect, useState } from 'react'
import { answerConfirmations } from '../../lib/confirmed-call.ts'
import { useCall } from '../../lib/use-call.ts'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { CodeForm } from './code-form.tsx'

/** Stands in the panel and shows itself when a call waits for a confirmation. */
export function ConfirmIdentity() {
  const [waiting, setWaiting] = useState<{ readonly answer: (isConfirmed: boolean) => void }>()
  const { mutate, reset, isPending, error } = useCall(secondFactorContract.confirmSession)
  useEffect(
    () =>
      answerConfirmations(
        () =>
          new Promise((resolve) => {
            reset()
            setWaiting({ answer: resolve })
          }),
      ),
    [reset],
  )
  const finish = (isConfirmed: boolean) => {
    waiting?.answer(isConfirmed)
    setWaiting(undefined)
  }
  return (
    <Dialog
      isOpen={waiting !== undefined}
      onOpenChange={(isOpen) => !isOpen && finish(false)}
      title="Confirm it's you"
      description="This affects everyone. You will not be asked again for 5 minutes."
    >
      <CodeForm
        submitLabel="Confirm"
        hint="Six digits from your authenticator app, or a recovery code."
        isPending={isPending}
        error={error}
        onCancel={() => finish(false)}
        onSubmit={(code) => mutate({ body: { code } }, { onSuccess: () => finish(true) })}
      />
    </Dialog>
  )
}
