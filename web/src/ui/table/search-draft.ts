// What is typed into the search box of a list.

import { useRef, useState } from 'react'
import { useShortcut } from '../overlay/shortcuts.ts'

/**
 * The text of a search box that `/` goes to. When what is searched for changes by other ways, such
 * as the way back, that is right.
 */
export function useSearchDraft(value: string) {
  const field = useRef<HTMLInputElement>(null)
  const [draft, setDraft] = useState({ text: value, from: value })
  if (draft.from !== value) setDraft({ text: value, from: value })
  useShortcut({
    keys: '/',
    label: 'Search this list',
    group: 'Lists',
    run: () => field.current?.focus(),
  })
  return { field, text: draft.text, setText: (text: string) => setDraft({ ...draft, text }) }
}
