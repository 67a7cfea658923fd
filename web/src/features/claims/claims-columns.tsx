// The columns of the claims table.

import type { AdminClaim } from '@redpack/contract'
import { CircleCheck, Trash2, Undo2 } from 'lucide-react'
import { formatNumber } from '../../lib/format.ts'
import { Badge } from '../../ui/feedback/badge.tsx'
import { Button } from '../../ui/form/button.tsx'
import { IconButton } from '../../ui/form/icon-button.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import { Moment } from '../../ui/media/moment.tsx'
import type { DataColumn } from '../../ui/table/columns.tsx'
import { StatusBadge } from './shared/status-badge.tsx'
import { approveWord, canApprove, canDelete, claimIdOf } from './staff-claim-words.ts'

export interface ClaimActions {
  readonly onOpen: (claim: AdminClaim) => void
  readonly onApprove: (claim: AdminClaim) => void
  readonly onDelete: (claim: AdminClaim) => void
  readonly onRestore: (claim: AdminClaim) => void
}

/** `canSortWords` while the claims are few enough to be sorted by winner and by prize. */
export function claimsColumns(
  actions: ClaimActions,
  canSortWords: boolean,
): readonly DataColumn<AdminClaim>[] {
  return [
    {
      id: 'claimId',
      header: 'Claim ID',
      value: claimIdOf,
      cell: (claim) => (
        <button
          type="button"
          className="min-h-11 whitespace-nowrap font-mono text-sm hover:underline"
          title="Delivery, timeline and instructions"
          onClick={() => actions.onOpen(claim)}
        >
          <Masked what="Claim ID" canReveal={false}>
            {claimIdOf(claim)}
          </Masked>
        </button>
      ),
    },
    {
      id: 'user',
      header: 'User',
      isSortable: canSortWords,
      value: (claim) => claim.username,
      cell: ({ user }) => (
        <span className="block max-w-52 leading-tight">
          <span className="block truncate">{user.displayName}</span>
          <span className="block truncate text-sm leading-tight text-muted">@{user.username}</span>
        </span>
      ),
    },
    {
      id: 'prize',
      header: 'Prize',
      isSortable: canSortWords,
      value: (claim) => claim.prizeName,
      cell: (claim) => (
        <span className="block min-w-32 max-w-64 wrap-anywhere">{claim.prizeName}</span>
      ),
    },
    {
      id: 'redCoinAmount',
      header: 'RedCoin',
      value: (claim) => claim.redCoinAmount,
      cell: (claim) =>
        claim.redCoinAmount > 0 ? (
          <span className="tabular-nums">{formatNumber(claim.redCoinAmount)}</span>
        ) : (
          <span className="whitespace-nowrap text-muted">Physical Prize</span>
        ),
    },
    {
      id: 'status',
      header: 'Status',
      isSortable: true,
      value: (claim) => claim.status,
      cell: (claim) => (
        <span className="inline-flex flex-wrap gap-1.5">
          <StatusBadge status={claim.status} />
          {claim.deletedAt !== null && <Badge tone="danger">Deleted</Badge>}
        </span>
      ),
    },
    {
      id: 'createdAt',
      header: 'Claimed At',
      isSortable: true,
      value: (claim) => claim.createdAt,
      cell: (claim) => <Moment at={claim.createdAt} className="whitespace-nowrap" />,
    },
    {
      id: 'actions',
      header: 'Actions',
      isFixed: true,
      cell: (claim) => <ClaimButtons claim={claim} actions={actions} />,
    },
  ]
}

interface ClaimButtonsProps {
  readonly claim: AdminClaim
  readonly actions: ClaimActions
}

function ClaimButtons({ claim, actions }: ClaimButtonsProps) {
  const name = claimIdOf(claim)
  if (claim.deletedAt !== null) {
    return (
      <Button
        tone="secondary"
        className="px-3 text-sm"
        aria-label={`Restore ${name}`}
        onClick={() => actions.onRestore(claim)}
      >
        <Undo2 aria-hidden="true" />
        Restore
      </Button>
    )
  }
  if (claim.isAutoCompleted) {
    return <span className="whitespace-nowrap text-muted">Auto-completed</span>
  }
  if (!canApprove(claim) && !canDelete(claim)) return <span className="text-muted">–</span>
  return (
    <span className="inline-flex gap-1">
      {canApprove(claim) && (
        <Button
          tone="secondary"
          className="px-3 text-sm"
          aria-label={`${approveWord(claim)} ${name}`}
          onClick={() => actions.onApprove(claim)}
        >
          <CircleCheck aria-hidden="true" />
          {approveWord(claim)}
        </Button>
      )}
      {canDelete(claim) && (
        <IconButton
          label={`Delete ${name}`}
          onClick={() => actions.onDelete(claim)}
          className="text-danger"
        >
          <Trash2 aria-hidden="true" />
        </IconButton>
      )}
    </span>
  )
}
