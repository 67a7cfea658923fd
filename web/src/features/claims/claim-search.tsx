// Finds claims by Claim ID, user or prize; usernames are offered while one types.

import { Search } from 'lucide-react'
import { useRef, useState } from 'react'
import { useDebounced } from '../../lib/debounced.ts'
import { Button } from '../../ui/form/button.tsx'
import { SuggestField } from '../../ui/form/suggest-field.tsx'
import { useShortcut } from '../../ui/overlay/shortcuts.ts'
import { useUserSuggestions } from '../people/users-queries.ts'

/** How long after the field is left its suggestions close, in milliseconds. */
export const suggestionsCloseMs = 200
/** How long after the last letter users are looked for, in milliseconds. */
const searchDelayMs = 200

export interface ClaimSearchProps {
  /** What is searched for now. */
  readonly value: string
  readonly onSearch: (text: string) => void
  /** Back to everything, the filter included. */
  readonly onClear: () => void
}

/** Searches on Search, on Enter, and when a suggestion is chosen. */
export function ClaimSearch({ value, onSearch, onClear }: ClaimSearchProps) {
  const field = useRef<HTMLInputElement>(null)
  const [draft, setDraft] = useState({ text: value, from: value })
  if (draft.from !== value) setDraft({ text: value, from: value })
  const settled = useDebounced(draft.text.trim(), searchDelayMs)
  const { data: users = [] } = useUserSuggestions(settled === value ? '' : settled)
  const offered = settled === draft.text.trim() ? users : []
  useShortcut({
    keys: '/',
    label: 'Search this list',
    group: 'Lists',
    run: () => field.current?.focus(),
  })
  const submit = () => onSearch(draft.text.trim())
  return (
    <div className="flex w-full flex-wrap items-end gap-2 md:w-auto">
      <SuggestField
        className="w-full sm:w-72"
        label="Search claims"
        placeholder="Claim ID, user or prize"
        fieldRef={field}
        value={draft.text}
        onChange={(text) => setDraft({ ...draft, text })}
        closeDelayMs={suggestionsCloseMs}
        suggestions={offered.map(({ id, username, displayName }) => ({
          id,
          text: username,
          content: (
            <span className="min-w-0">
              <span className="block truncate font-semibold">{username}</span>
              <span className="block truncate text-sm text-muted">{displayName}</span>
            </span>
          ),
        }))}
        onPick={({ text }) => {
          setDraft({ ...draft, text })
          onSearch(text)
        }}
        onSubmit={submit}
      />
      <Button onClick={submit}>
        <Search aria-hidden="true" />
        Search
      </Button>
      <Button
        tone="secondary"
        onClick={() => {
          setDraft({ text: '', from: value })
          onClear()
        }}
      >
        Clear
      </Button>
    </div>
  )
}
