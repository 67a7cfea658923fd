// The physical prizes of one user, for staff: completed or deleted one by one.

import { type AdminUser, adminClaimsContract, type UserPrize } from '@redpack/contract'
import { CircleCheck, EllipsisVertical, Gift, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { usePanelReading } from '../../compat/panel-reading.ts'
import { formatMoment } from '../../lib/format.ts'
import { useAct, useCall } from '../../lib/use-call.ts'
import { DataState } from '../../ui/feedback/data-state.tsx'
import { Empty } from '../../ui/feedback/empty.tsx'
import { reportOutcome } from '../../ui/feedback/outcome.ts'
import { Button } from '../../ui/form/button.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import { ConfirmDialog, Dialog } from '../../ui/overlay/dialog.tsx'
import type { MenuItem } from '../../ui/overlay/drop-down.tsx'
import { Menu } from '../../ui/overlay/menu.tsx'
import { type DeletedRows, hidden, seen, useDeletedRows } from '../../ui/table/deleted-rows.tsx'
import { PlainTable } from '../../ui/table/plain-table.tsx'
import { claimIdOf, StatusBadge, spokenClaim } from '../claims/shared/claim-parts.tsx'
import { deleteClaim } from '../claims/staff-queries.ts'
import { useUserPrizes } from './users-queries.ts'

interface UserPrizesDialogProps {
  readonly user: AdminUser
  readonly onClose: () => void
}

interface Question {
  readonly act: 'complete' | 'delete'
  readonly prize: UserPrize
}

export function UserPrizesDialog({ user, onClose }: UserPrizesDialogProps) {
  const query = useUserPrizes(user.id)
  const [question, setQuestion] = useState<Question>()
  // A claim on RedCoin is paid by itself and is no physical prize, whoever lists it.
  const prizes = query.data?.filter(({ prize }) => prize.redCoinAmount === 0)
  const deleted = useDeletedRows(prizes ?? [], {})
  const nameOf = (prize: UserPrize) =>
    spokenClaim(claimIdOf(prize), prize.prize.name, user.displayName)
  return (
    <>
      <Dialog
        onOpenChange={onClose}
        title={`Prizes of ${user.displayName}`}
        description="Physical prizes, newest first"
        isWide
      >
        <DataState
          query={query}
          what="prizes"
          title="Failed to fetch user prizes"
          skeleton={['h-14 w-full', 'h-14 w-full']}
          className="grid gap-3"
          isBrief
        >
          {() =>
            deleted.rows.length === 0 ? (
              <Empty picture={<Gift />} title="No physical prizes found" />
            ) : (
              <PrizesTable deleted={deleted} nameOf={nameOf} onAsk={setQuestion} />
            )
          }
        </DataState>
      </Dialog>
      <PrizeQuestion
        // Each question waits for its own answer.
        key={question && `${question.act} ${question.prize.id}`}
        question={question}
        nameOf={nameOf}
        deleted={deleted}
        onClose={(closed) => setQuestion((now) => (now === closed ? undefined : now))}
      />
    </>
  )
}

interface PrizesTableProps {
  readonly deleted: DeletedRows<UserPrize>
  /** For names of controls and for messages. */
  readonly nameOf: (prize: UserPrize) => string
  readonly onAsk: (question: Question) => void
}

function PrizesTable({ deleted, nameOf, onAsk }: PrizesTableProps) {
  return (
    <PlainTable
      label="Physical prizes"
      heads={['Claim ID', 'Prize', 'Status', 'Claimed', 'Actions']}
      className="[&_td]:py-1!"
    >
      {deleted.rows.map((prize) => (
        <tr key={prize.id} className="relative" style={deleted.lineOf(prize) ? hidden : undefined}>
          <th scope="row" className="whitespace-nowrap font-mono font-normal">
            <Masked what="Claim ID">{claimIdOf(prize)}</Masked>
            <div
              style={seen}
              className="absolute inset-y-0 start-0 flex w-max max-w-100 items-center font-sans"
            >
              {deleted.lineOf(prize)}
            </div>
          </th>
          <td>{prize.prize.name}</td>
          <td>
            <StatusBadge status={prize.status} />
          </td>
          <td className="whitespace-nowrap">{formatMoment(prize.createdAt)}</td>
          <td className="sticky end-0 bg-surface">
            <PrizeActions prize={prize} nameOf={nameOf} onAsk={onAsk} />
          </td>
        </tr>
      ))}
    </PlainTable>
  )
}

function PrizeActions({
  prize,
  nameOf,
  onAsk,
}: Omit<PrizesTableProps, 'deleted'> & { readonly prize: UserPrize }) {
  if (!usePanelReading().hasPrizeMenu) {
    return (
      <Button
        icon={Trash2}
        tone="danger"
        aria-label={`Delete ${nameOf(prize)}`}
        onClick={() => onAsk({ act: 'delete', prize })}
      >
        Delete
      </Button>
    )
  }
  const complete: MenuItem = {
    label: 'Mark Complete',
    icon: <CircleCheck />,
    onSelect: () => onAsk({ act: 'complete', prize }),
  }
  const remove: MenuItem = {
    label: 'Delete',
    icon: <Trash2 />,
    isDestructive: true,
    onSelect: () => onAsk({ act: 'delete', prize }),
  }
  return (
    <Menu
      label={`Actions for ${nameOf(prize)}`}
      tone="ghost"
      trigger={<EllipsisVertical className="size-5" />}
      groups={[prize.status === 'completed' ? [remove] : [complete, remove]]}
    />
  )
}

interface PrizeQuestionProps {
  readonly question: Question | undefined
  readonly nameOf: (prize: UserPrize) => string
  readonly deleted: DeletedRows<UserPrize>
  readonly onClose: (question: Question | undefined) => void
}

function PrizeQuestion({ question, nameOf, deleted, onClose }: PrizeQuestionProps) {
  const complete = useCall(adminClaimsContract.update)
  const { calls, prizeNotDeleted } = usePanelReading()
  const remove = useAct({ mutationFn: (id: number) => deleteClaim(id, calls.deletePrize) })
  const isDelete = question?.act === 'delete'
  const confirm = async () => {
    if (!question) return
    const { prize } = question
    const { id } = prize
    const name = nameOf(prize)
    if (isDelete) {
      await deleted.deleteRow(prize, {
        name,
        send: () => remove.mutateAsync(id),
        done: `Prize claim deleted successfully: ${name}`,
        failureTitle: prizeNotDeleted.title,
        fallback: prizeNotDeleted.text,
      })
    } else {
      await reportOutcome(complete.mutateAsync({ params: { id }, body: { status: 'completed' } }), {
        done: `Prize claim updated successfully: ${name}`,
        failureTitle: 'Update Failed',
        fallback: 'Unable to update prize claim status',
      })
    }
    onClose(question)
  }
  const prize = question?.prize
  return (
    <ConfirmDialog
      isOpen={question !== undefined}
      onOpenChange={() => onClose(question)}
      title={isDelete ? 'Delete claim' : 'Mark Complete'}
      description={
        isDelete
          ? 'Are you sure you want to delete this claim? This action cannot be undone.'
          : 'Mark this prize claim as complete?'
      }
      confirmLabel="Confirm"
      tone={isDelete ? 'danger' : 'primary'}
      onConfirm={confirm}
      isPending={complete.isPending || remove.isPending}
    >
      {prize && (
        <p className="break-words font-semibold">
          <Masked what="Claim ID" canReveal={false}>
            {claimIdOf(prize)}
          </Masked>
          , {prize.prize.name}
        </p>
      )}
    </ConfirmDialog>
  )
}
