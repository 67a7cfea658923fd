// Finds users while one types: the table below, and up to five to pick from.

import type { AdminUser } from '@redpack/contract'
import { useEffect, useRef, useState } from 'react'
import { usePanelReading } from '../../compat/panel-reading.ts'
import { useDebounced } from '../../lib/debounced.ts'
import { formatRedCoin } from '../../lib/format.ts'
import { Button } from '../../ui/form/button.tsx'
import { SuggestField } from '../../ui/form/suggest-field.tsx'
import { Avatar } from '../../ui/media/avatar.tsx'
import { useShortcut } from '../../ui/overlay/shortcuts.ts'
import { useUserSuggestions } from './users-queries.ts'

/** How long after the field is left its suggestions close, in milliseconds. */
export const suggestionsCloseMs = 150
/** How long after the last letter the search starts, in milliseconds. */
const searchDelayMs = 200

export interface UserSearchProps {
  readonly value: string
  readonly onSearch: (text: string) => void
  readonly onPick: (user: AdminUser) => void
}

export function UserSearch({ value, onSearch, onPick }: UserSearchProps) {
  const field = useRef<HTMLInputElement>(null)
  const [draft, setDraft] = useState({ text: value, from: value })
  if (draft.from !== value) setDraft({ text: value, from: value })
  const settled = useDebounced(draft.text.trim(), searchDelayMs)
  const { data: found = [] } = useUserSuggestions(settled, usePanelReading())
  const offered = settled === draft.text.trim() ? found : []
  const search = useRef(onSearch)
  useEffect(() => {
    search.current = onSearch
  }, [onSearch])
  useEffect(() => {
    if (settled === draft.text.trim() && settled !== value) search.current(settled)
  }, [settled, draft.text, value])
  useShortcut({
    keys: '/',
    label: 'Search this list',
    group: 'Lists',
    run: () => field.current?.focus(),
  })
  return (
    <div className="flex w-full items-end gap-2 sm:w-96">
      <SuggestField
        className="flex-1"
        label="Search users"
        placeholder="Username or display name"
        fieldRef={field}
        value={draft.text}
        onChange={(text) => setDraft({ ...draft, text })}
        closeDelayMs={suggestionsCloseMs}
        suggestions={offered.map((user) => ({
          id: user.id,
          text: user.username,
          content: <Suggested user={user} />,
        }))}
        onPick={({ id }) => {
          const user = found.find((one) => one.id === id)
          if (user) onPick(user)
        }}
      />
      {draft.text !== '' && (
        <Button tone="ghost" onClick={() => onSearch('')}>
          Clear
        </Button>
      )}
    </div>
  )
}

function Suggested({ user }: { readonly user: AdminUser }) {
  return (
    <>
      <Avatar name={user.displayName} src={user.avatar} className="size-8" />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-semibold">{user.displayName}</span>
        <span className="block truncate text-sm text-muted">@{user.username}</span>
      </span>
      <span className="text-sm text-muted tabular-nums">{formatRedCoin(user.redCoinBalance)}</span>
    </>
  )
}
