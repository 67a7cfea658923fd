// The questions before claims are approved, deleted or brought back.

import type { AdminClaim } from '@redpack/contract'
import { formatNumber, plural } from '../../lib/format.ts'
import { TextField } from '../../ui/form/text-field.tsx'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import { TypedConfirmDialog, useFreshText } from '../../ui/overlay/typed-confirm-dialog.tsx'
import { claimIdOf } from './shared/claim-parts.tsx'
import { useClaimsTotal } from './staff-queries.ts'
import type { useClaimActs } from './use-claim-acts.ts'

export interface ClaimQuestionsProps {
  readonly acts: ReturnType<typeof useClaimActs>
  /** True while the search or the filter leaves claims out; Delete All deletes those too. */
  readonly isPartial: boolean
}

/** What is asked of one claim and of many. */
const asked = [
  {
    act: 'approve',
    verb: 'Approve',
    title: 'Approve',
    noun: 'prize claim',
    ask: (these: string) => `Mark ${these} as complete?`,
    tone: 'primary',
  },
  {
    act: 'delete',
    verb: 'Delete',
    title: 'Delete claim',
    noun: 'claim',
    ask: (these: string) =>
      `Are you sure you want to delete ${these}? This action cannot be undone.`,
    tone: 'danger',
  },
] as const

export function ClaimQuestions({ acts, isPartial }: ClaimQuestionsProps) {
  const { question, close, isPending } = acts
  const claims = question?.claims ?? []
  const { data: total } = useClaimsTotal(question?.act === 'delete-all')
  const confirm = () => void acts.confirm()
  return (
    <>
      {asked.map(({ act, verb, title, noun, ask, tone }) => (
        <ConfirmDialog
          key={act}
          isOpen={question?.act === act}
          onOpenChange={close}
          title={claims.length > 1 ? `${verb} ${formatNumber(claims.length)} claims` : title}
          description={ask(
            claims.length > 1 ? `these ${formatNumber(claims.length)} ${noun}s` : `this ${noun}`,
          )}
          confirmLabel="Confirm"
          tone={tone}
          onConfirm={confirm}
          isPending={isPending}
        >
          <ClaimNames claims={claims} />
        </ConfirmDialog>
      ))}
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
