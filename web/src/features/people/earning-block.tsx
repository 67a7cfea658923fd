// Shuts one user out from earning by watching and from the chat bot, with a reason, and back in.

import { type AdminPerson, type AdminUser, adminPeopleContract } from '@redpack/contract'
import { Ban, CircleCheck } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { useCall } from '../../lib/use-call.ts'
import { toastDone, toastFailed } from '../../ui/feedback/outcome.ts'
import { Button } from '../../ui/form/button.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import { isShutToChanges } from './user-words.ts'

/** Longest reason, in characters. */
const reasonMax = 500

export interface EarningBlockProps {
  readonly user: AdminUser
  readonly block: AdminPerson['earningBlock']
}

export function EarningBlock({ user, block }: EarningBlockProps) {
  const [isAsking, setAsking] = useState(false)
  const [reason, setReason] = useState('')
  const change = useCall(adminPeopleContract.blockEarning)
  const send = (isBlocked: boolean) =>
    change.mutate(
      { params: { id: user.id }, body: { isBlocked, reason: isBlocked ? reason : '' } },
      {
        onSuccess: () => {
          setReason('')
          toastDone(
            isBlocked
              ? `${user.displayName} earns nothing from now on`
              : `${user.displayName} can earn again`,
          )
        },
        onError: (error) => toastFailed('Error', error, 'Failed to change the earning block'),
        onSettled: () => setAsking(false),
      },
    )
  const ask = (event: FormEvent) => {
    event.preventDefault()
    setAsking(true)
  }
  if (isShutToChanges(user)) return null
  return (
    <section aria-label="Earning" className="card grid gap-3 p-4">
      <h3 className="text-lg">Earning</h3>
      {block ? (
        <>
          <p>
            <strong className="text-danger">Blocked</strong>
            {block.reason !== '' && `: ${block.reason}`}
          </p>
          <p className="text-sm text-muted">
            {block.actor && `By @${block.actor.username}`}
            {block.createdAt !== null && `, ${formatDateTime(block.createdAt)}`}
          </p>
          <Button
            tone="secondary"
            className="justify-self-start"
            onClick={() => send(false)}
            isPending={change.isPending}
          >
            <CircleCheck aria-hidden="true" />
            Allow earning
          </Button>
        </>
      ) : (
        <form onSubmit={ask} className="grid gap-3">
          <p className="text-muted">
            Watching streams and the chat bot pay this user as they pay everyone. A block stops
            both; packs, prizes and the store stay open.
          </p>
          <TextField
            label="Reason"
            hint="Staff see it here, and the user in their own data when they download it."
            maxLength={reasonMax}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
          <Button type="submit" tone="danger" className="justify-self-start">
            <Ban aria-hidden="true" />
            Block earning
          </Button>
        </form>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title={`Block earning of ${user.displayName}?`}
        description="They get nothing more for watching and from the chat bot until staff allow it again. What they have stays theirs."
        confirmLabel="Block earning"
        onConfirm={() => send(true)}
        isPending={change.isPending}
      />
    </section>
  )
}
