// Finds claims by Claim ID, user or prize; usernames are offered while one types.

import { Search } from 'lucide-react'
import { useDebounced } from '../../lib/debounced.ts'
import { Button } from '../../ui/form/button.tsx'
import { SuggestField } from '../../ui/form/suggest-field.tsx'
import { useSearchDraft } from '../../ui/table/search-draft.ts'
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
  const { field, text, setText } = useSearchDraft(value)
  const settled = useDebounced(text.trim(), searchDelayMs)
  const { data: users = [] } = useUserSuggestions(settled === value ? '' : settled)
  const offered = settled === text.trim() ? users : []
  const submit = () => onSearch(text.trim())
  return (
    <div className="flex w-full flex-wrap items-end gap-2 md:w-auto">
      <SuggestField
        className="w-full sm:w-72"
        label="Search claims"
        placeholder="Claim ID, user or prize"
        fieldRef={field}
        value={text}
        onChange={setText}
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
        onPick={(suggestion) => {
          setText(suggestion.text)
          onSearch(suggestion.text)
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
