// The user that was picked from the suggestions.

import type { AdminUser } from '@redpack/contract'
import { Gift, UserRound, X } from 'lucide-react'
import { formatDate, formatNumber, formatRedCoin } from '../../lib/format.ts'
import { Badge } from '../../ui/feedback/badge.tsx'
import { Button } from '../../ui/form/button.tsx'
import { IconButton } from '../../ui/form/icon-button.tsx'
import { Avatar } from '../../ui/media/avatar.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import { roleNames } from './user-words.ts'

export interface PickedUserProps {
  readonly user: AdminUser
  readonly onPrizes: () => void
  /** Absent where users have no page. */
  readonly onOpen?: () => void
  readonly onClose: () => void
}

export function PickedUser({ user, onPrizes, onOpen, onClose }: PickedUserProps) {
  return (
    <section
      aria-label="Selected user"
      className="card on-card mb-6 flex flex-wrap items-center gap-4 border-accent-graphic p-4"
    >
      <Avatar name={user.displayName} src={user.avatar} className="size-14" />
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-center gap-2 text-lg font-semibold">
          {user.displayName}
          <Badge>{roleNames[user.role]}</Badge>
        </p>
        <p className="text-muted">
          @{user.username} · {formatRedCoin(user.redCoinBalance)} · joined{' '}
          {formatDate(user.createdAt)}
        </p>
        {user.email !== null && (
          <p className="break-all text-sm text-muted">
            <Masked what="E-mail">{user.email}</Masked>
          </p>
        )}
        {user.userPacks.length > 0 && (
          <p className="mt-2 flex flex-wrap gap-1.5">
            {user.userPacks.map(({ packTypeId, packTypeName, quantity }) => (
              <Badge key={packTypeId} tone="secondary">
                {formatNumber(quantity)} {packTypeName}
              </Badge>
            ))}
          </p>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button tone="accent" onClick={onPrizes}>
          <Gift aria-hidden="true" />
          View Prizes
        </Button>
        {onOpen && (
          <Button tone="secondary" onClick={onOpen}>
            <UserRound aria-hidden="true" />
            Open user
          </Button>
        )}
        <IconButton label="Close selected user" onClick={onClose}>
          <X aria-hidden="true" />
        </IconButton>
      </div>
    </section>
  )
}
