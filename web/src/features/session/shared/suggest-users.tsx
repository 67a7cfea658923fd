// A search box that offers the users who may be meant while somebody types.

import type { AdminUser, AdminUsersPage } from '@redpack/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { currentReading } from '../../../compat/panel-reading.ts'
import { call } from '../../../lib/api.ts'
import { endpointQuery } from '../../../lib/endpoint-query.ts'
import { formatNumber, formatRedCoin } from '../../../lib/format.ts'
import { Badge, type BadgeProps } from '../../../ui/feedback/state.tsx'
import { SuggestField, type SuggestFieldProps } from '../../../ui/form/suggest-field.tsx'
import { Avatar } from '../../../ui/media/avatar.tsx'
import { useIsStaff } from '../queries.ts'

/** How many users are offered at most. */
const suggestionsMax = 5

function suggestedUsers(search: string, { users } = currentReading.calls) {
  const query = { search, sort: 'username', page: 1, limit: suggestionsMax }
  return endpointQuery(users, {
    shows: ['users'],
    key: [query],
    ask: async (signal): Promise<AdminUser[]> => {
      // Asked with a page, the answer is a page; the bare list is for who asks for nothing.
      const page = (await call(users, { query, signal })) as AdminUsersPage | null
      return page?.users?.slice(0, suggestionsMax) ?? []
    },
  })
}

/** Users whose name holds what is typed; none while nothing is. */
export function useUserSuggestions(search: string, calls = currentReading.calls) {
  const isStaff = useIsStaff()
  const enabled = isStaff && search !== ''
  return useQuery({ ...suggestedUsers(search, calls), staleTime: 10_000, enabled })
}

/** Users whose display name, username or email holds the text; the first ones for none. */
export function useRecipients(search: string) {
  const enabled = useIsStaff()
  return useQuery({ ...suggestedUsers(search), placeholderData: keepPreviousData, enabled })
}

export interface UserFieldProps extends Omit<SuggestFieldProps, 'suggestions' | 'onPick'> {
  /** Found for the text that is there. */
  readonly users: readonly AdminUser[]
  readonly onPick: (user: AdminUser) => void
  readonly contentOf?: (user: AdminUser) => ReactNode
}

export function UserField({ users, onPick, contentOf = nameAndBalance, ...rest }: UserFieldProps) {
  return (
    <SuggestField
      {...rest}
      suggestions={users.map((user) => ({
        id: user.id,
        content: contentOf(user),
      }))}
      onPick={({ id }) => {
        const user = users.find((one) => one.id === id)
        if (user) onPick(user)
      }}
    />
  )
}

function nameAndBalance({ displayName, username, avatar, redCoinBalance }: AdminUser) {
  return (
    <>
      <Avatar name={displayName} src={avatar} className="size-8" />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-semibold">{displayName}</span>
        <span className="block truncate text-sm text-muted">@{username}</span>
      </span>
      <span className="flex-none text-sm text-muted tabular-nums">
        {formatRedCoin(redCoinBalance)}
      </span>
    </>
  )
}

export interface HeldPacksProps {
  readonly user: AdminUser
  readonly tone?: BadgeProps['tone']
  readonly className: string
}

/** The packs of a user, a badge for each kind. */
export function HeldPacks({ user: { userPacks }, tone, className }: HeldPacksProps) {
  if (userPacks.length === 0) return null
  return (
    <p className={`flex flex-wrap gap-1.5 ${className}`}>
      {userPacks.map(({ packTypeId, packTypeName, quantity }) => (
        <Badge key={packTypeId} tone={tone}>
          {formatNumber(quantity)} {packTypeName}
        </Badge>
      ))}
    </p>
  )
}
