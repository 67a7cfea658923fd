// The search box of a list: looks while one types, a moment behind. Beside it, on a narrow screen,
// the button that shows the filters.

import { ListFilter } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { useSettledText } from '../../lib/settled-text.ts'
import { Button } from '../form/button.tsx'
import { entered, TextField, verbatim } from '../form/text-field.tsx'
import { useShortcut } from '../overlay/shortcuts.ts'

/** How long after the last letter the search starts, in milliseconds. */
export const searchDelayMs = 250

export interface SearchWords {
  readonly label: string
  /** What it can be looked for by. */
  readonly placeholder: string
}

export interface TableSearchProps extends SearchWords {
  /** What is looked for now. */
  readonly value: string
  readonly onChange: (search: string) => void
}

export function TableSearch({ value, onChange, ...words }: TableSearchProps) {
  const { field, text, setText } = useLiveSearch(value, onChange, searchDelayMs)
  return (
    <TextField
      {...words}
      ref={field}
      type="search"
      {...verbatim}
      {...entered(text, setText)}
      fieldClassName="w-full sm:w-72"
    />
  )
}

/**
 * The text of a search box that `/` goes to. When what is searched for changes by other ways, such
 * as the way back, that is right; what comes of the box itself is behind what is typed by then.
 */
export function useSearchDraft(value: string) {
  const field = useRef<HTMLInputElement>(null)
  const [draft, setDraft] = useState({ text: value, from: value, typed: [] as string[] })
  if (draft.from !== value) {
    const own = draft.typed.lastIndexOf(value)
    const typed = own < 0 ? [] : draft.typed.slice(own + 1)
    setDraft({ text: own < 0 ? value : draft.text, from: value, typed })
  }
  useShortcut({
    keys: '/',
    label: 'Search this list',
    group: 'Lists',
    run: () => field.current?.focus(),
  })
  const setText = (text: string) =>
    setDraft({ ...draft, text, typed: [...draft.typed, text.trim()] })
  return { field, text: draft.text, setText }
}

/** Such a text that is looked for once it stands still. */
export function useLiveSearch(value: string, onSearch: (text: string) => void, delayMs?: number) {
  const draft = useSearchDraft(value)
  const { settled, isSettled } = useSettledText(draft.text, delayMs)
  const search = useEffectEvent(onSearch)
  useEffect(() => {
    if (isSettled && settled !== value) search(settled)
  }, [settled, isSettled, value])
  return { ...draft, settled, isSettled }
}

interface FiltersButtonProps {
  readonly count: number
  readonly isFolded: boolean
  readonly onFold: (isFolded: boolean) => void
}

/** Shows the filters where there is no room for them above the records. */
export function FiltersButton({ count, isFolded, onFold }: FiltersButtonProps) {
  return (
    <Button
      icon={ListFilter}
      tone="secondary"
      aria-expanded={!isFolded}
      onClick={() => onFold(!isFolded)}
    >
      Filters{count > 0 && ` (${formatNumber(count)})`}
    </Button>
  )
}
