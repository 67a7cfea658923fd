// How failures of the bot tabs are told: what failed, a colon, and the reason.

import { messageOf } from '../../lib/api-error.ts'
import { staffErrorMs } from '../../ui/feedback/outcome.ts'
import { toast } from '../../ui/feedback/toast.ts'

/** 'Failed to add Discord server: Conflict'; without a reason, what failed alone. */
export function failureText(what: string, error: unknown): string {
  const reason = messageOf(error, '')
  return reason === '' ? what : `${what}: ${reason}`
}

export function toastFailure(what: string, error: unknown): void {
  toast({
    title: 'Error',
    description: failureText(what, error),
    variant: 'destructive',
    duration: staffErrorMs,
    ...(error instanceof Error && error.message !== '' && { detail: error.message }),
  })
}
