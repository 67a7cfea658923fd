// A user as a suggestion of a search box shows them.

import type { AdminUser } from '@redpack/contract'
import { formatRedCoin } from '../../../lib/format.ts'
import { Avatar } from '../../../ui/media/avatar.tsx'

export function SuggestedUser({ user }: { readonly user: AdminUser }) {
  return (
    <>
      <Avatar name={user.displayName} src={user.avatar} className="size-8" />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-semibold">{user.displayName}</span>
        <span className="block truncate text-sm text-muted">@{user.username}</span>
      </span>
      <span className="flex-none text-sm text-muted tabular-nums">
        {formatRedCoin(user.redCoinBalance)}
      </span>
    </>
  )
}
