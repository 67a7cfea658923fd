// What people can do about what is kept of them: take it along, or leave for good.

import { privacyContract } from '@redpack/contract'
import { ShieldUser, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { plural } from '../../lib/format.ts'
import { useCall } from '../../lib/use-call.ts'
import { toastError } from '../../ui/feedback/outcome.ts'
import { Button } from '../../ui/form/button.tsx'
import { DownloadButton } from '../../ui/form/link-button.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Card, CardHeader } from '../../ui/layout/card.tsx'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import { useClaims } from '../claims/queries.ts'

export interface PrivacyCardProps {
  readonly username: string
  /** Called once the account is gone. */
  readonly onDeleted: () => void
}

export function PrivacyCard({ username, onDeleted }: PrivacyCardProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <Card role="group" aria-label="Your Data">
      <CardHeader title="Your Data" icon={ShieldUser} />
      <p className="mb-4 text-muted">
        Download everything we hold about you as a JSON file: your profile, openings, claims with
        delivery details, balance history, and staff notes and actions on your account.
      </p>
      <DownloadButton href={privacyContract.exportOwnData.path}>Download my data</DownloadButton>
      <p className="mt-4 text-muted">
        To detect tampering, this browser remembers the commitments to your seeds and the latest
        state of the draw log, without your name. They stay after you log out; clearing this site's
        data removes them.
      </p>
      <div className="mt-6 border-t border-line pt-4">
        <p className="mb-4 text-muted">
          Deleting your account removes your name and contact details. This cannot be undone.
        </p>
        <Button icon={Trash2} tone="danger" onClick={() => setAsking(true)}>
          Delete my account
        </Button>
      </div>
      {isAsking && (
        <DeleteAccount username={username} onClose={() => setAsking(false)} onDeleted={onDeleted} />
      )}
    </Card>
  )
}

// Asks whether the account shall really go: what is lost, what stays, and the username as an
// answer.
interface DeleteAccountProps {
  readonly username: string
  readonly onClose: () => void
  readonly onDeleted: () => void
}

/** Open as long as it is mounted. */
function DeleteAccount({ username, onClose, onDeleted }: DeleteAccountProps) {
  const [typed, setTyped] = useState('')
  const remove = useCall(privacyContract.deleteAccount)
  const submit = () => {
    if (typed !== username || remove.isPending) return
    remove.mutate(
      { body: { confirm: typed } },
      {
        onSuccess: onDeleted,
        onError: (error) => toastError(error, 'Your account could not be deleted'),
      },
    )
  }
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title="Delete your account?"
      description="You will be signed out everywhere. This cannot be undone."
      confirmLabel={remove.isPending ? 'Deleting...' : 'Delete my account'}
      onConfirm={submit}
      isPending={remove.isPending}
      canConfirm={typed === username}
    >
      <OpenClaims />
      <p className="font-semibold">What we delete</p>
      <p className="mb-3 text-muted">
        Your name, email, picture, bio, delivery details, wallet and Discord connections. Your packs
        and RedCoin can no longer be used.
      </p>
      <p className="font-semibold">What we keep</p>
      <p className="mb-4 text-muted">
        Balance changes, openings and claims, without your name, so that the books and the public
        draw log stay correct. Your current server seed is revealed for the same reason. Anonymous
        marks keep rewards from being paid twice, and blocks in place.
      </p>
      <TextField
        label={`Type ${username} to confirm`}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') submit()
        }}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    </ConfirmDialog>
  )
}

/** Physical prizes that have not arrived yet, as far as the first page of claims tells. */
function OpenClaims() {
  const { data } = useClaims('physical', 1)
  const open = data?.claims.filter(({ status }) => status !== 'completed').length ?? 0
  if (open === 0) return null
  const isMore = data?.pagination.hasNextPage === true
  return (
    <p
      role="alert"
      className="mb-4 rounded-control border border-warning p-3 font-medium text-warning"
    >
      {isMore ? 'At least ' : ''}
      {plural(open, 'prize has', 'prizes have')} not been delivered yet. Without your delivery
      details, we cannot send {open === 1 ? 'it' : 'them'}.
    </p>
  )
}
