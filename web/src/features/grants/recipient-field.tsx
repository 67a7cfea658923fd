// Chooses the one user that an act is for.

import type { AdminUser } from '@redpack/contract'
import { X } from 'lucide-react'
import { useRef, useState } from 'react'
import { useDebounced } from '../../lib/debounced.ts'
import { formatNumber, formatRedCoin } from '../../lib/format.ts'
import { Badge } from '../../ui/feedback/badge.tsx'
import { IconButton } from '../../ui/form/icon-button.tsx'
import { SuggestField } from '../../ui/form/suggest-field.tsx'
import { Avatar } from '../../ui/media/avatar.tsx'
import { SuggestedUser } from '../people/shared/suggested-user.tsx'
import { useRecipients } from './queries.ts'

/** How long after the field is left its list closes, in milliseconds. */
export const recipientsCloseMs = 150
/** How long after the last letter the search starts, in milliseconds. */
const searchDelayMs = 150

export interface RecipientFieldProps {
  readonly user: AdminUser | undefined
  readonly onChange: (user: AdminUser | undefined) => void
}

export function RecipientField({ user, onChange }: RecipientFieldProps) {
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const search = useDebounced(text.trim(), searchDelayMs)
  const { data: found = [], isPlaceholderData } = useRecipients(search)
  const isSettled = search === text.trim() && !isPlaceholderData
  const pick = (id: string | number) => {
    const picked = found.find((one) => one.id === id)
    setText('')
    onChange(picked)
  }
  if (user) {
    return (
      <PickedRecipient
        user={user}
        onClear={() => {
          onChange(undefined)
          window.setTimeout(() => field.current?.focus())
        }}
      />
    )
  }
  return (
    <div>
      <SuggestField
        label="User"
        placeholder="Name, username or e-mail"
        fieldRef={field}
        value={text}
        onChange={setText}
        closeDelayMs={recipientsCloseMs}
        suggestions={(isSettled ? found : []).map((one) => ({
          id: one.id,
          text: one.username,
          content: <SuggestedUser user={one} />,
        }))}
        onPick={({ id }) => pick(id)}
        onSubmit={() => {
          const [only] = found
          if (only && found.length === 1 && isSettled) pick(only.id)
        }}
      />
      <p role="status" className="mt-1.5 text-sm text-muted">
        {isSettled &&
          found.length === 0 &&
          (search === '' ? 'No users found' : `No users found matching "${search}"`)}
      </p>
    </div>
  )
}

interface PickedRecipientProps {
  readonly user: AdminUser
  readonly onClear: () => void
}

function PickedRecipient({ user, onClear }: PickedRecipientProps) {
  return (
    <div>
      <p className="mb-1.5 font-medium">User</p>
      <section
        aria-label="Chosen user"
        className="flex items-center gap-3 rounded-control border border-accent-graphic bg-raised p-3"
      >
        <Avatar name={user.displayName} src={user.avatar} className="size-11" />
        <div className="min-w-0 flex-1">
          <p className="truncate font-semibold">{user.displayName}</p>
          <p className="truncate text-sm text-muted">
            @{user.username} · {formatRedCoin(user.redCoinBalance)}
          </p>
          {user.userPacks.length > 0 && (
            <p className="mt-1.5 flex flex-wrap gap-1.5">
              {user.userPacks.map(({ packTypeId, packTypeName, quantity }) => (
                <Badge key={packTypeId}>
                  {formatNumber(quantity)} {packTypeName}
                </Badge>
              ))}
            </p>
          )}
        </div>
        <IconButton label="Choose another user" onClick={onClear}>
          <X aria-hidden="true" />
        </IconButton>
      </section>
    </div>
  )
}
