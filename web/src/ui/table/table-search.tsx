// The search box of a list: looks while one types, a moment behind.

import { useEffect, useRef } from 'react'
import { TextField } from '../form/text-field.tsx'
import { useSearchDraft } from './search-draft.ts'

/** How long after the last letter the search starts, in milliseconds. */
export const searchDelayMs = 250

export interface TableSearchProps {
  readonly label: string
  /** What is looked for now. */
  readonly value: string
  readonly onChange: (search: string) => void
}

export function TableSearch({ label, value, onChange }: TableSearchProps) {
  const { field, text, setText } = useSearchDraft(value)
  const latest = useRef(onChange)
  useEffect(() => {
    latest.current = onChange
  }, [onChange])
  useEffect(() => {
    const search = text.trim()
    if (search === value) return
    const timer = window.setTimeout(() => latest.current(search), searchDelayMs)
    return () => window.clearTimeout(timer)
  }, [text, value])
  return (
    <TextField
      ref={field}
      label={label}
      type="search"
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={(event) => setText(event.target.value)}
      fieldClassName="w-full sm:w-72"
    />
  )
}
