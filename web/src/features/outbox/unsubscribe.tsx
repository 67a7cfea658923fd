// Asks once, then takes whoever the token belongs to off the list; no sign-in is needed.

import { notificationsContract } from '@redpack/contract'
import { messageOf } from '../../lib/api-error.ts'
import { useCall } from '../../lib/use-call.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Button } from '../../ui/form/button.tsx'

export function Unsubscribe({ token }: { readonly token: string }) {
  const unsubscribe = useCall(notificationsContract.unsubscribe)
  if (unsubscribe.isSuccess) return <p role="status">You will get no more emails from us.</p>
  return (
    <>
      <p>Stop all emails from us?</p>
      {unsubscribe.error && (
        <Notice tone="danger" role="alert">
          {messageOf(unsubscribe.error, 'That did not work')}
        </Notice>
      )}
      <Button
        isPending={unsubscribe.isPending}
        onClick={() => unsubscribe.mutate({ query: { token } })}
      >
        Unsubscribe
      </Button>
    </>
  )
}
