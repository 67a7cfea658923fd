// The columns of the users table; one for each kind of pack.

import type { AdminUser, Role } from '@redpack/contract'
import { Ban, Gift } from 'lucide-react'
import { formatDate, formatDateTime, formatNumber } from '../../lib/format.ts'
import { Badge } from '../../ui/feedback/badge.tsx'
import { Button } from '../../ui/form/button.tsx'
import { Avatar } from '../../ui/media/avatar.tsx'
import type { DataColumn } from '../../ui/table/columns.tsx'
import { RoleField } from './role-field.tsx'
import { isShutToChanges, protectedWords } from './user-words.ts'

export interface UserActions {
  readonly ownId: number | undefined
  readonly mayChangeSuperUsers: boolean
  readonly onRole: (user: AdminUser, role: Role) => void
  readonly onPrizes: (user: AdminUser) => void
  /** Absent where users have no page. */
  readonly onOpen?: (user: AdminUser) => void
}

function packsOf(user: AdminUser, packTypeId: number): number {
  return user.userPacks.find((held) => held.packTypeId === packTypeId)?.quantity ?? 0
}

export interface PackTypeName {
  readonly id: number
  readonly name: string
}

/** All the columns, sortable by what the server sorts by. */
export function usersColumns(
  packTypes: readonly PackTypeName[],
  actions: UserActions,
): DataColumn<AdminUser>[] {
  return [
    {
      id: 'username',
      header: 'Username',
      isSortable: true,
      value: (user) => user.username,
      cell: (user) => <UserCell user={user} onOpen={actions.onOpen} />,
    },
    {
      id: 'redCoinBalance',
      header: 'RedCoins',
      isSortable: true,
      isNumber: true,
      value: (user) => user.redCoinBalance,
      cell: (user) => formatNumber(user.redCoinBalance),
    },
    // Before the packs, of which there are as many as staff like: these two are always seen.
    {
      id: 'role',
      header: 'Role',
      isSortable: true,
      value: (user) => user.role,
      cell: (user) => (
        <RoleField
          user={user}
          isOwn={user.id === actions.ownId}
          mayChangeSuperUsers={actions.mayChangeSuperUsers}
          onChange={(role) => actions.onRole(user, role)}
        />
      ),
    },
    {
      id: 'createdAt',
      header: 'Joined',
      isSortable: true,
      value: (user) => user.createdAt,
      cell: (user) => (
        <time
          dateTime={user.createdAt}
          title={formatDateTime(user.createdAt)}
          className="whitespace-nowrap"
        >
          {formatDate(user.createdAt)}
        </time>
      ),
    },
    ...packTypes.map(
      (packType): DataColumn<AdminUser> => ({
        id: `packs-${packType.id}`,
        header: packType.name,
        isNumber: true,
        value: (user) => packsOf(user, packType.id),
        cell: (user) => <PackCount count={packsOf(user, packType.id)} />,
      }),
    ),
    {
      id: 'actions',
      header: 'Prizes',
      isFixed: true,
      cell: (user) => (
        <Button
          tone="secondary"
          onClick={() => actions.onPrizes(user)}
          aria-label={`View Prizes of ${user.displayName}`}
          className="whitespace-nowrap px-3 text-sm"
        >
          <Gift aria-hidden="true" />
          View Prizes
        </Button>
      ),
    },
  ]
}

function PackCount({ count }: { readonly count: number }) {
  return count === 0 ? <span className="text-muted">0</span> : formatNumber(count)
}

interface UserCellProps {
  readonly user: AdminUser
  readonly onOpen: ((user: AdminUser) => void) | undefined
}

function UserCell({ user, onOpen }: UserCellProps) {
  const names = (
    <>
      <span className="block max-w-56 truncate font-semibold">{user.displayName}</span>
      <span className="block max-w-56 truncate text-sm text-muted">@{user.username}</span>
    </>
  )
  return (
    <div className="flex items-center gap-3">
      <Avatar name={user.displayName} src={user.avatar} />
      <div className="min-w-0">
        {onOpen ? (
          <button
            type="button"
            onClick={() => onOpen(user)}
            className="min-h-11 text-start hover:underline"
          >
            {names}
          </button>
        ) : (
          names
        )}
        {isShutToChanges(user) && (
          <p className="text-sm text-warning">
            {protectedWords.title} / {protectedWords.text}
          </p>
        )}
        {user.isEarningBlocked && (
          <Badge tone="danger" icon={<Ban aria-hidden="true" />} className="whitespace-nowrap">
            Earning blocked
          </Badge>
        )}
      </div>
    </div>
  )
}
