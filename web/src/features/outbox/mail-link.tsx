// Asks once, then does what the link in a mail is for; no sign-in is needed.

import { notificationsContract } from '@redpack/contract'
import { messageOf } from '../../lib/api-error.ts'
import { useCall } from '../../lib/use-call.ts'
import { Notice } from '../../ui/feedback/state.tsx'
import { Button } from '../../ui/form/button.tsx'

const purposes = {
  verify: {
    question: 'Send news from us to this address?',
    label: 'Yes, send it here',
    done: 'Your address is confirmed. News reaches you there from now on.',
  },
  unsubscribe: {
    question: 'Stop all emails from us?',
    label: 'Unsubscribe',
    done: 'You will get no more emails from us.',
  },
} as const

interface MailLinkProps {
  readonly purpose: keyof typeof purposes
  readonly token: string
}

export function MailLink({ purpose, token }: MailLinkProps) {
  const follow = useCall(notificationsContract[purpose])
  const { question, label, done } = purposes[purpose]
  if (follow.isSuccess) return <p role="status">{done}</p>
  return (
    <>
      <p>{question}</p>
      {follow.error && (
        <Notice tone="danger" role="alert">
          {messageOf(follow.error, 'That did not work')}
        </Notice>
      )}
      <Button isPending={follow.isPending} onClick={() => follow.mutate({ query: { token } })}>
        {label}
      </Button>
    </>
  )
}
