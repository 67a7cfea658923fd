// One choice from a list: the system's own control, which every reader and phone knows.

import { ChevronDown } from 'lucide-react'
import type { ComponentPropsWithRef } from 'react'
import { cn } from '../../lib/class-names.ts'
import { apart, Field, type FieldAround } from './text-field.tsx'

export interface Choice {
  readonly value: string
  readonly label: string
  readonly isDisabled?: boolean
}

export interface ChoiceGroup {
  readonly label: string
  readonly choices: readonly Choice[]
}

export interface SelectFieldProps
  extends FieldAround,
    Omit<ComponentPropsWithRef<'select'>, 'id' | 'children'> {
  readonly choices: readonly (Choice | ChoiceGroup)[]
  /** Shown while nothing is chosen; its value is the empty text. */
  readonly placeholder?: string
}

export function SelectField(props: SelectFieldProps) {
  const [field, { choices, placeholder, className, ...rest }] = apart(props)
  return (
    <Field {...field}>
      {(control) => (
        <div className="relative">
          <select {...rest} {...control} className={cn('input', className)}>
            {placeholder !== undefined && <option value="">{placeholder}</option>}
            {choices.map((choice) =>
              'choices' in choice ? (
                <optgroup key={choice.label} label={choice.label}>
                  {choice.choices.map(optionOf)}
                </optgroup>
              ) : (
                optionOf(choice)
              ),
            )}
          </select>
          <ChevronDown className="pointer-events-none absolute end-3 top-1/2 size-5 -translate-y-1/2 text-muted" />
        </div>
      )}
    </Field>
  )
}

/** The choices, and what is chosen also where it is none of them. */
export function withChosen(
  choices: readonly Choice[],
  value: string,
  label = value,
): readonly Choice[] {
  const isListed = value === '' || choices.some((choice) => choice.value === value)
  return isListed ? choices : [...choices, { value, label }]
}

function optionOf({ value, label, isDisabled }: Choice) {
  return (
    <option key={value} value={value} disabled={isDisabled}>
      {label}
    </option>
  )
}
