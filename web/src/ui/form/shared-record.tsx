// A form on a record that somebody else may change meanwhile: fields that nobody touched follow
// what is saved elsewhere, and what both have changed is said, with both values.

import { useEffect, useState } from 'react'
import type { DefaultValues, FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { plural } from '../../lib/format.ts'
import { Notice } from '../feedback/state.tsx'
import { Button } from './button.tsx'
import { isSame } from './kept-draft.ts'

/** What somebody else has done to the record of a form. */
export interface SharedRecord {
  /** The fields that were changed there and here. */
  readonly changes: readonly { readonly label: string; theirs: string; mine: string }[]
  readonly isGone: boolean
  readonly takeTheirs: () => void
}

/** The record under a key as it was found last, also once somebody else has deleted it. */
export function useKept<T>(found: T | undefined, key: string) {
  const [kept, setKept] = useState({ key, found })
  if (found !== undefined ? found !== kept.found : key !== kept.key) setKept({ key, found })
  const record = found ?? (kept.key === key ? kept.found : undefined)
  return { record, isGone: found === undefined && record !== undefined }
}

/** What a form holds, by field, and what it sent last. */
interface Held<Draft> {
  readonly get: (name: keyof Draft & string) => unknown
  readonly set: (name: keyof Draft & string, value: never) => void
  readonly sent?: object | undefined
}

/** What a form of react-hook-form holds. */
export function heldBy<Draft extends FieldValues, Sent>(
  form: UseFormReturn<Draft, unknown, Sent>,
): Held<Draft> {
  return {
    get: (name) => form.getValues(name as Path<Draft>),
    // Not by `resetField`, which passes over what has stood in no field yet.
    set: (name, value) => {
      form.setValue(name as Path<Draft>, value)
      form.clearErrors(name as Path<Draft>)
      const before = form.control._defaultValues as DefaultValues<Draft>
      form.resetDefaultValues({ ...before, [name]: value })
    },
  }
}

/**
 * `stored` is what the form would show of the record as it is now, `first` what it showed when
 * the form was begun.
 */
export function useSharedRecord<Draft extends object>(
  { get, set, sent }: Held<Draft>,
  stored: Draft,
  isGone = false,
  first = stored,
): SharedRecord {
  type Name = keyof Draft & string
  const [seen, setSeen] = useState(first)
  const [both, setBoth] = useState<readonly Name[]>([])
  // What was saved from here is nobody else's, also once somebody has typed on.
  const isOpen = (name: Name) =>
    ![get(name), (sent as Partial<Draft>)?.[name]].some((value) => isSame(value, stored[name]))
  useEffect(() => {
    if (stored === seen) return
    const names = Object.keys(stored) as Name[]
    const changed = names.filter((name) => !isSame(stored[name], seen[name]))
    const touched = changed.filter((name) => !isSame(get(name), seen[name]))
    for (const name of changed) if (!touched.includes(name)) set(name, stored[name] as never)
    setSeen(stored)
    const before = both.filter((name) => !changed.includes(name))
    setBoth([...before, ...touched].filter(isOpen))
  })
  const open = both.filter(isOpen)
  return {
    changes: open.map((name) => ({
      label: labelOf(name),
      theirs: textOf(stored[name]),
      mine: textOf(get(name)),
    })),
    isGone,
    takeTheirs: () => {
      for (const name of open) set(name, stored[name] as never)
      setBoth([])
    },
  }
}

/** `redCoinPrice` is read as 'RedCoin price'. */
function labelOf(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  const plain = words.replace('red coin', 'RedCoin').replace(/ id(s?)$/, '$1')
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) {
    const isText = value.every((one) => typeof one === 'string')
    return isText ? textOf(value.join(', ')) : plural(value.length, 'entry', 'entries')
  }
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  const text = String(value ?? '')
  if (text.startsWith('data:')) return 'another picture'
  return text === '' ? 'nothing' : text.length > 80 ? `${text.slice(0, 80)}…` : text
}

export function SharedNotice({ changes, isGone, takeTheirs }: SharedRecord) {
  if (isGone) {
    return (
      <Notice tone="danger" role="alert" className="w-full">
        Somebody else has deleted this. What you have entered stays here until you close it.
      </Notice>
    )
  }
  if (changes.length === 0) return null
  return (
    <Notice tone="warning" role="alert" className="w-full">
      <p>Somebody else has saved this while you were editing. Saving keeps what you have:</p>
      <ul className="my-2 list-disc pl-5">
        {changes.map(({ label, theirs, mine }) => (
          <li key={label}>
            {label}: now {theirs}, yours {mine}
          </li>
        ))}
      </ul>
      <Button tone="secondary" size="compact" onClick={takeTheirs}>
        Use theirs
      </Button>
    </Notice>
  )
}
