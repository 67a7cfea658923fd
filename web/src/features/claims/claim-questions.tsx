// The questions before claims are approved, deleted or brought back.

import type { AdminClaim } from '@redpack/contract'
import { formatNumber, plural } from '../../lib/format.ts'
import { TextField } from '../../ui/form/text-field.tsx'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import { TypedConfirmDialog, useFreshText } from '../../ui/overlay/typed-confirm-dialog.tsx'
import { claimIdOf } from './staff-claim-words.ts'
import { useClaimsTotal } from './staff-queries.ts'
import type { useClaimActs } from './use-claim-acts.ts'

export interface ClaimQuestionsProps {
  readonly acts: ReturnType<typeof useClaimActs>
  /** True while the search or the filter leaves claims out; Delete All deletes those too. */
  readonly isPartial: boolean
}

export function ClaimQuestions({ acts, isPartial }: ClaimQuestionsProps) {
  const { question, close, isPending } = acts
  const claims = question?.claims ?? []
  const { data: total } = useClaimsTotal(question?.act === 'delete-all')
  const confirm = () => void acts.confirm()
  return (
    <>
      <ConfirmDialog
        isOpen={question?.act === 'approve'}
        onOpenChange={close}
        title={claims.length > 1 ? `Approve ${formatNumber(claims.length)} claims` : 'Approve'}
        description={
          claims.length > 1
            ? `Mark these ${formatNumber(claims.length)} prize claims as complete?`
            : 'Mark this prize claim as complete?'
        }
        confirmLabel="Confirm"
        tone="primary"
        onConfirm={confirm}
        isPending={isPending}
      >
        <ClaimNames claims={claims} />
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={question?.act === 'delete'}
        onOpenChange={close}
        title={claims.length > 1 ? `Delete ${formatNumber(claims.length)} claims` : 'Delete claim'}
        description={
          claims.length > 1
            ? `Are you sure you want to delete these ${formatNumber(claims.length)} claims? This action cannot be undone.`
            : 'Are you sure you want to delete this claim? This action cannot be undone.'
        }
        confirmLabel="Confirm"
        onConfirm={confirm}
        isPending={isPending}
      >
        <ClaimNames claims={claims} />
      </ConfirmDialog>
      <RestoreQuestion
        isOpen={question?.act === 'restore'}
        claims={claims}
        onClose={close}
        onConfirm={(reason) => void acts.confirm(reason)}
        isPending={isPending}
      />
      <TypedConfirmDialog
        isOpen={question?.act === 'delete-all'}
        onOpenChange={close}
        title="Delete All"
        description={`Are you sure you want to delete ALL ${total === undefined ? '' : `${formatNumber(total)} `}prize claims? This action cannot be undone.`}
        phrase="delete all"
        confirmLabel="Confirm"
        onConfirm={confirm}
        isPending={isPending}
      >
        {isPartial && <p className="text-warning">Filters do not apply: every claim is deleted.</p>}
      </TypedConfirmDialog>
    </>
  )
}

/** Longest reason, in characters. */
const reasonMax = 500

interface RestoreQuestionProps {
  readonly isOpen: boolean
  readonly claims: readonly AdminClaim[]
  readonly onClose: () => void
  readonly onConfirm: (reason: string) => void
  readonly isPending: boolean
}

/** The deletion was said to be final, so its end is given a reason. */
function RestoreQuestion({ claims, onClose, onConfirm, ...rest }: RestoreQuestionProps) {
  const [reason, setReason] = useFreshText(rest.isOpen)
  return (
    <ConfirmDialog
      {...rest}
      onOpenChange={onClose}
      title={claims.length > 1 ? `Restore ${formatNumber(claims.length)} claims` : 'Restore claim'}
      description="It returns as it was, also for the winner."
      confirmLabel="Restore"
      tone="primary"
      canConfirm={reason.trim() !== ''}
      onConfirm={() => onConfirm(reason.trim())}
    >
      <ClaimNames claims={claims} />
      <TextField
        label="Reason"
        hint="Shown in the audit log."
        fieldClassName="mt-4"
        maxLength={reasonMax}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </ConfirmDialog>
  )
}

const namesMax = 5

function ClaimNames({ claims }: { readonly claims: readonly AdminClaim[] }) {
  return (
    <ul className="list-none p-0">
      {claims.slice(0, namesMax).map((claim) => (
        <li key={claim.id} className="break-words">
          <span className="font-mono text-sm">{claimIdOf(claim)}</span> {claim.prizeName}, @
          {claim.username}
        </li>
      ))}
      {claims.length > namesMax && (
        <li className="text-muted">and {plural(claims.length - namesMax, 'more', 'more')}</li>
      )}
    </ul>
  )
}
