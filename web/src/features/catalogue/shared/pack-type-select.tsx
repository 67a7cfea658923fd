// One of the pack types, each under a name of its own.

import { SelectField, type SelectFieldProps, withChosen } from '../../../ui/form/select-field.tsx'
import { noPackTypes, useNamedPackTypes } from '../pack-type-queries.ts'

export interface PackTypeSelectProps extends Omit<SelectFieldProps, 'label' | 'choices'> {
  readonly label?: string
  /** Its id, where it may be one that was deleted since. */
  readonly chosen?: string
  /** What no choice means, where there need be none. */
  readonly placeholder?: string
}

export function PackTypeSelect({
  label = 'Pack type',
  chosen = '',
  placeholder,
  ...rest
}: PackTypeSelectProps) {
  const { data = [], isPending } = useNamedPackTypes()
  const isEmpty = !isPending && data.length === 0
  const waiting = isPending ? 'Loading pack types...' : isEmpty ? noPackTypes : 'Select a pack type'
  const choices = data.map(({ id, name }) => ({ value: String(id), label: name }))
  return (
    <SelectField
      {...rest}
      label={label}
      placeholder={placeholder ?? waiting}
      hint={placeholder !== undefined && isEmpty ? noPackTypes : undefined}
      choices={withChosen(choices, chosen, `Pack type #${chosen}`)}
    />
  )
}
