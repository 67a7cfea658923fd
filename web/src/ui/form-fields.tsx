// Controls of the kit as fields of a form that react-hook-form holds.

import type { ReactNode } from 'react'
import { type Control, type FieldValues, type Path, useController } from 'react-hook-form'
import { CheckboxField } from './checkbox-field.tsx'
import { useEmptied } from './emptied.ts'
import { NumberField, type NumberFieldProps } from './number-field.tsx'
import { SwitchField } from './switch-field.tsx'

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

/** A whole number: what is typed behind a decimal point goes when the field is left. */
export function FormNumber<Values extends FieldValues, Sent>({
  control,
  name,
  emptied,
  hint,
  ...rest
}: FormNumberProps<Values, Sent>) {
  const { field, fieldState } = useController({ control, name })
  const value = typeof field.value === 'number' ? field.value : null
  const empty = useEmptied(value, emptied)
  return (
    <NumberField
      {...rest}
      ref={field.ref}
      name={field.name}
      value={empty.shown}
      hint={empty.hint ?? hint}
      onChange={field.onChange}
      onFocus={empty.onFocus}
      onBlur={() => {
        empty.onLeave()
        const whole = value === null ? null : Math.trunc(value)
        if (whole !== value) field.onChange(whole)
        field.onBlur()
      }}
      error={fieldState.error?.message}
    />
  )
}

interface FormToggleProps<Values extends FieldValues, Sent> extends Bound<Values, Sent> {
  readonly label: ReactNode
  readonly hint?: ReactNode
}

export function FormSwitch<Values extends FieldValues, Sent>({
  control,
  name,
  ...rest
}: FormToggleProps<Values, Sent>) {
  const { field } = useController({ control, name })
  return <SwitchField {...rest} isOn={field.value === true} onChange={field.onChange} />
}

export function FormCheckbox<Values extends FieldValues, Sent>({
  control,
  name,
  ...rest
}: FormToggleProps<Values, Sent>) {
  const { field } = useController({ control, name })
  return <CheckboxField {...rest} isOn={field.value === true} onChange={field.onChange} />
}
