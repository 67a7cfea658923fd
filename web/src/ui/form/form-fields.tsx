// Controls of the kit as fields of a form that react-hook-form holds.

import { type KeyboardEvent, type ReactNode, useState } from 'react'
import {
  type Control,
  type FieldValues,
  type Path,
  type UseFormReturn,
  useController,
} from 'react-hook-form'
import { ApiError } from '../../lib/api-error.ts'
import { NumberField, type NumberFieldProps } from './number-field.tsx'
import { CheckboxField, SwitchField } from './toggle-fields.tsx'

interface Bound<Values extends FieldValues, Sent> {
  readonly control: Control<Values, unknown, Sent>
  /** A field of the right kind: a number or null here, true or false below. */
  readonly name: Path<Values>
}

export interface FormNumberProps<Values extends FieldValues, Sent>
  extends Bound<Values, Sent>,
    Omit<NumberFieldProps, 'name' | 'value' | 'onChange' | 'error'> {
  /** What an emptied field counts as; without it, it stays empty. */
  readonly emptied?: number
}

/**
 * A whole number: what is typed behind a decimal point goes when the field is left. By Enter it is
 * not left, so that the first press shows what the next one sends.
 */
export function FormNumber<Values extends FieldValues, Sent>({
  control,
  name,
  emptied,
  hint,
  onBlur,
  ...rest
}: FormNumberProps<Values, Sent>) {
  const { field, fieldState } = useController({ control, name })
  const value = typeof field.value === 'number' ? field.value : null
  const whole = value === null ? null : Math.trunc(value)
  const empty = useEmptied(value, emptied)
  /** Until the next press, or another number. */
  const [cut, setCut] = useState<number | null>()
  const cutFirst = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    setCut(whole === value ? undefined : whole)
    if (whole === value) return
    event.preventDefault()
    field.onChange(whole)
  }
  const counted = cut === value && `Counts as ${whole}. Press again to save that.`
  return (
    <NumberField
      {...rest}
      ref={field.ref}
      name={field.name}
      value={empty.shown}
      hint={empty.hint ?? hint}
      onChange={field.onChange}
      onFocus={empty.onFocus}
      onKeyDown={cutFirst}
      onBlur={(event) => {
        empty.onLeave()
        setCut(undefined)
        if (whole !== value) field.onChange(whole)
        field.onBlur()
        onBlur?.(event)
      }}
      error={counted || fieldState.error?.message}
    />
  )
}

interface FormToggleProps<Values extends FieldValues, Sent> extends Bound<Values, Sent> {
  readonly label: ReactNode
  readonly hint?: ReactNode
}

function inForm(Toggle: typeof SwitchField) {
  return <Values extends FieldValues, Sent>(props: FormToggleProps<Values, Sent>) => {
    const { control, name, ...rest } = props
    const { field } = useController({ control, name })
    return <Toggle {...rest} isOn={field.value === true} onChange={field.onChange} />
  }
}

export const FormSwitch = inForm(SwitchField)
export const FormCheckbox = inForm(CheckboxField)

/** What ties a text field to a form: how it is registered, and what is wrong with it. */
export function fieldOf<Values extends FieldValues, Sent>(
  form: UseFormReturn<Values, unknown, Sent>,
  name: Path<Values>,
) {
  const { error } = form.getFieldState(name, form.formState)
  return { ...form.register(name), error: error?.message }
}

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
 * @param countedIn what they count as, of the fields that a draft shows
 * @returns true when it has to be sent once more
 */
export function fillEmptied<Draft extends FieldValues, Sent>(
  form: UseFormReturn<Draft, unknown, Sent>,
  countedIn: (draft: Draft) => Partial<Draft>,
): boolean {
  const counted = countedIn(form.getValues())
  const names = Object.keys(counted) as Path<Draft>[]
  const emptied = names.filter((name) => isEmpty(form.getValues(name)))
  for (const name of emptied) {
    form.setValue(name, counted[name] as Draft[Path<Draft>], { shouldDirty: true })
  }
  const stored = form.formState.defaultValues as Draft
  // What stands behind a field that was not shown is not stored.
  const shown = countedIn(stored)
  const changed = emptied.filter((name) => !(name in shown) || counted[name] !== stored[name])
  for (const name of changed) {
    const message = `Empty counts as ${counted[name]}. Press again to save that.`
    form.setError(name, { message }, { shouldFocus: name === changed[0] })
  }
  return changed.length > 0
}

export function showFieldErrors<Draft extends FieldValues, Request>(
  form: UseFormReturn<Draft, unknown, Request>,
  fields: readonly Path<Draft>[],
  error: unknown,
): void {
  if (!(error instanceof ApiError)) return
  const refused = fields.filter((field) => error.fields[field])
  for (const field of refused) {
    form.setError(field, { message: error.fields[field] }, { shouldFocus: field === refused[0] })
  }
}
