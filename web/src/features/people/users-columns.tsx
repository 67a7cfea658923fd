// The columns of the users table; one for each kind of pack.

import { type AdminPackType, type AdminUser, type Role, roles } from '@redpack/contract'
import { Ban, EyeOff, Flag, Gift, Lock, PauseCircle } from 'lucide-react'
import { useEffect, useReducer } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { Badge } from '../../ui/feedback/state.tsx'
import { IconButton } from '../../ui/form/button.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { Avatar } from '../../ui/media/avatar.tsx'
import { Moment } from '../../ui/media/moment.tsx'
import type { DataColumn } from '../../ui/table/columns.tsx'

interface UserActions {
  readonly ownId: number | undefined
  readonly mayChangeSuperUsers: boolean
  readonly onRole: (user: AdminUser, role: Role) => void
  readonly onPrizes: (user: AdminUser) => void
  /** Absent where users have no page. */
  readonly onOpen?: (user: AdminUser) => void
}

/** The longest wait that a browser knows; longer ones are begun again with the next answer. */
const waitMsMax = 2 ** 31 - 1

/** True while a suspension holds; turns false by itself. */
export function useIsSuspended(suspension: AdminUser['suspension']): boolean {
  const [, lookAgain] = useReducer((count: number) => count + 1, 0)
  const until = suspension?.until ?? null
  useEffect(() => {
    if (until === null) return
    const leftMs = Date.parse(until) - Date.now()
    if (leftMs <= 0) return
    const timer = window.setTimeout(lookAgain, Math.min(leftMs + 1, waitMsMax))
    return () => window.clearTimeout(timer)
  }, [until])
  return suspension !== null && (until === null || Date.parse(until) > Date.now())
}

function packsOf(user: AdminUser, packTypeId: number): number {
  return user.userPacks.find((held) => held.packTypeId === packTypeId)?.quantity ?? 0
}

/** All the columns, sortable by what the server sorts by. */
export function usersColumns(
  packTypes: readonly Pick<AdminPackType, 'id' | 'name'>[],
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
      cell: (user) => <Moment at={user.createdAt} className="whitespace-nowrap" />,
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
        <IconButton
          icon={Gift}
          label={`View Prizes of ${user.displayName}`}
          onClick={() => actions.onPrizes(user)}
        />
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
      <span className="block max-w-56 truncate font-semibold leading-tight">
        {user.displayName}
      </span>
      <span className="block max-w-56 truncate text-sm leading-tight text-muted">
        @{user.username}
      </span>
    </>
  )
  return (
    <div className="flex items-center gap-3">
      <Avatar name={user.displayName} src={user.avatar} className="size-8" />
      <div className="min-w-0">
        {onOpen ? (
          <button
            type="button"
            onClick={() => onOpen(user)}
            className="block min-h-11 text-start hover:underline"
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
          <Badge tone="danger" icon={<Ban />} className="whitespace-nowrap">
            Earning blocked
          </Badge>
        )}
        <StandingBadges user={user} />
      </div>
    </div>
  )
}

/** What staff have decided on a user, or have to look at. */
export function StandingBadges({ user }: { readonly user: AdminUser }) {
  const isSuspended = useIsSuspended(user.suspension)
  return (
    <>
      {user.ownName !== null && (
        <Badge tone="warning" icon={<EyeOff />} className="max-w-56">
          <span className="truncate">Own name: {user.ownName}</span>
        </Badge>
      )}
      {user.isNameFlagged && (
        <Badge tone="warning" icon={<Flag />} className="whitespace-nowrap">
          Name flagged
        </Badge>
      )}
      {isSuspended && (
        <Badge tone="danger" icon={<PauseCircle />} className="whitespace-nowrap">
          {user.suspension?.answer == null ? 'Suspended' : 'Suspended, has answered'}
        </Badge>
      )}
    </>
  )
}

/** Where roles are strict, who is no super user sees the role and cannot choose it. */
function choicesOf(mayChangeSuperUsers: boolean) {
  return roles.map((value) => ({
    value,
    label: roleNames[value],
    isDisabled: value === 'super_user' && !mayChangeSuperUsers,
  }))
}

interface RoleFieldProps {
  readonly user: AdminUser
  /** True for the person's own row, which says so. */
  readonly isOwn: boolean
  /** False where only super users make super users, and the person is none. */
  readonly mayChangeSuperUsers: boolean
  readonly onChange: (role: Role) => void
}

function RoleField({ user, isOwn, mayChangeSuperUsers, onChange }: RoleFieldProps) {
  if (isShutToChanges(user)) {
    return (
      <span className="inline-flex flex-wrap gap-1.5">
        <Badge tone="accent">{protectedWords.role}</Badge>
        <Badge tone="warning" icon={<Lock />}>
          {protectedWords.lock}
        </Badge>
      </span>
    )
  }
  if (user.role === 'super_user' && !mayChangeSuperUsers) {
    return (
      <span className="block whitespace-nowrap">
        {roleNames[user.role]}
        <span className="block text-sm text-muted">Only a super user can change this</span>
      </span>
    )
  }
  return (
    <span className="flex w-fit items-center gap-2">
      <SelectField
        label={`Role of ${user.displayName}`}
        isLabelHidden
        choices={choicesOf(mayChangeSuperUsers)}
        value={user.role}
        onChange={(event) => onChange(event.target.value as Role)}
        className="min-w-26 ps-2.5 pe-8 text-sm"
      />
      {isOwn && <span className="text-sm text-muted">(you)</span>}
    </span>
  )
}

export const roleNames: Readonly<Record<Role, string>> = {
  user: 'User',
  admin: 'Admin',
  super_user: 'Super User',
}

/** The account behind the local sign-in: nobody changes its role. */
export const protectedWords = {
  title: 'Protected Account',
  text: 'Emergency Admin Only',
  role: 'SUPER USER',
  lock: 'LOCKED',
} as const

export function isShutToChanges({ isProtected, isLocked }: AdminUser): boolean {
  return isProtected || isLocked
}

export function roleQuestion(user: AdminUser, role: Role, isOwn: boolean): string {
  return `Make ${isOwn ? 'yourself' : user.displayName} ${roleNames[role]}?`
}

export function roleChangedText(user: AdminUser, role: Role, isOwn: boolean): string {
  return `${isOwn ? 'You are' : `${user.displayName} is`} now ${roleNames[role]}`
}

/** What a new role means, for the question before it is given. */
export function roleChangeText(user: AdminUser, role: Role, isOwn: boolean): string {
  if (isOwn) return ownRoleText(user.role, role)
  const change = `${user.displayName} (@${user.username}) goes from ${roleNames[user.role]} to ${roleNames[role]} and has to sign in again.`
  return role === 'user'
    ? `${change} They lose access to the admin panel at once.`
    : `${change} They can then grant and remove RedCoin and packs, handle claims and change roles.`
}

/** What is lost with one's own role. */
function ownRoleText(from: Role, to: Role): string {
  const change = `You go from ${roleNames[from]} to ${roleNames[to]}. Other browsers in which you are signed in are signed out.`
  if (to === 'user') {
    return `${change} You lose access to the admin panel at once, and only another member of staff can restore it.`
  }
  if (to === 'admin') {
    return `${change} You may lose what only super users can do, and then only a super user can restore it.`
  }
  return change
}
