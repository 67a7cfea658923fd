// Chooses the one user that an act is for.

import type { AdminUser } from '@redpack/contract'
import { X } from 'lucide-react'
import { useRef, useState } from 'react'
import { formatRedCoin } from '../../lib/format.ts'
import { IconButton } from '../../ui/form/icon-button.tsx'
import { Avatar } from '../../ui/media/avatar.tsx'
import {
  HeldPacks,
  UserField,
  useRecipients,
  useSettledText,
} from '../session/shared/suggest-users.tsx'

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
  const { settled: search, isSettled: isStill } = useSettledText(text, searchDelayMs)
  const { data: found = [], isPlaceholderData } = useRecipients(search)
  const isSettled = isStill && !isPlaceholderData
  const pick = (picked: AdminUser) => {
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
      <UserField
        label="User"
        placeholder="Name, username or e-mail"
        fieldRef={field}
        value={text}
        onChange={setText}
        closeDelayMs={recipientsCloseMs}
        users={isSettled ? found : []}
        onPick={pick}
        onSubmit={() => {
          const [only] = found
          if (only && found.length === 1 && isSettled) pick(only)
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
          <HeldPacks user={user} className="mt-1.5" />
        </div>
        <IconButton label="Choose another user" onClick={onClear}>
          <X aria-hidden="true" />
        </IconButton>
      </section>
    </div>
  )
}
