// Finds claims by Claim ID, user or prize; usernames are offered while one types.

import { Search } from 'lucide-react'
import { Button } from '../../ui/form/button.tsx'
import { useSearchDraft } from '../../ui/table/search-draft.ts'
import { UserField, useSettledText, useUserSuggestions } from '../session/shared/suggest-users.tsx'

/** How long after the field is left its suggestions close, in milliseconds. */
export const suggestionsCloseMs = 200
export interface ClaimSearchProps {
  /** What is searched for now. */
  readonly value: string
  readonly onSearch: (text: string) => void
  /** Back to everything, the filter included. */
  readonly onClear: () => void
}

/** Searches on Search, on Enter, and when a suggestion is chosen. */
export function ClaimSearch({ value, onSearch, onClear }: ClaimSearchProps) {
  const { field, text, setText } = useSearchDraft(value)
  const { settled, isSettled } = useSettledText(text)
  const { data: users = [] } = useUserSuggestions(settled === value ? '' : settled)
  const submit = () => onSearch(text.trim())
  return (
    <div className="flex w-full flex-wrap items-end gap-2 md:w-auto">
      <UserField
        className="w-full sm:w-72"
        label="Search claims"
        placeholder="Claim ID, user or prize"
        fieldRef={field}
        value={text}
        onChange={setText}
        closeDelayMs={suggestionsCloseMs}
        users={isSettled ? users : []}
        contentOf={({ username, displayName }) => (
          <span className="min-w-0">
            <span className="block truncate font-semibold">{username}</span>
            <span className="block truncate text-sm text-muted">{displayName}</span>
          </span>
        )}
        onPick={({ username }) => {
          setText(username)
          onSearch(username)
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
          setText('')
          onClear()
        }}
      >
        Clear
      </Button>
    </div>
  )
}
