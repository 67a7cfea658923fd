// Fields that were emptied: what they count as is seen before it is sent.

import { useState } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'

const isEmpty = (value: unknown) =>
  value === null || (typeof value === 'string' && value.trim() === '')

/** Once an emptied field is left, it shows what it counts as, and a line says so. */
export function useEmptied<T extends string | number | null>(value: T, counted: T | undefined) {
  const [isLeft, setLeft] = useState(false)
  const isShown = counted !== undefined && isLeft && isEmpty(value)
  return {
    shown: isShown ? counted : value,
    hint: isShown ? `Empty counts as ${counted}` : undefined,
    onFocus: () => setLeft(false),
    onLeave: () => setLeft(true),
  }
}

/**
 * Puts what emptied fields count as into the form. Where that is not what is stored, it says so at
 * the field, and the form is to be sent once more.
 * @returns true when it has to be sent once more
 */
export function fillEmptied<Draft extends FieldValues, Sent>(
  form: UseFormReturn<Draft, unknown, Sent>,
  counted: Partial<Draft>,
): boolean {
  const names = Object.keys(counted) as Path<Draft>[]
  const emptied = names.filter((name) => isEmpty(form.getValues(name)))
  for (const name of emptied) {
    form.setValue(name, counted[name] as Draft[Path<Draft>], { shouldDirty: true })
  }
  const { defaultValues = {} } = form.formState
  const changed = emptied.filter((name) => counted[name] !== (defaultValues as Draft)[name])
  for (const name of changed) {
    const message = `Empty counts as ${counted[name]}. Press again to save that.`
    form.setError(name, { message }, { shouldFocus: name === changed[0] })
  }
  return changed.length > 0
}
