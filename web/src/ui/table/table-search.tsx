// The search box of a list: looks while one types, a moment behind.

import { useEffect, useRef, useState } from 'react'
import { TextField } from '../form/text-field.tsx'
import { useShortcut } from '../overlay/shortcuts.ts'

/** How long after the last letter the search starts, in milliseconds. */
export const searchDelayMs = 250

export interface TableSearchProps {
  readonly label: string
  /** What is looked for now. */
  readonly value: string
  readonly onChange: (search: string) => void
}

export function TableSearch({ label, value, onChange }: TableSearchProps) {
  const field = useRef<HTMLInputElement>(null)
  const [draft, setDraft] = useState({ text: value, from: value })
  // The address changed by other ways, such as the way back: it is right.
  if (draft.from !== value) setDraft({ text: value, from: value })
  useShortcut({
    keys: '/',
    label: 'Search this list',
    group: 'Lists',
    run: () => field.current?.focus(),
  })
  const latest = useRef(onChange)
  useEffect(() => {
    latest.current = onChange
  }, [onChange])
  useEffect(() => {
    const text = draft.text.trim()
    if (text === value) return
    const timer = window.setTimeout(() => latest.current(text), searchDelayMs)
    return () => window.clearTimeout(timer)
  }, [draft.text, value])
  return (
    <TextField
      ref={field}
      label={label}
      type="search"
      autoComplete="off"
      spellCheck={false}
      value={draft.text}
      onChange={(event) => setDraft({ ...draft, text: event.target.value })}
      fieldClassName="w-full sm:w-72"
    />
  )
}
