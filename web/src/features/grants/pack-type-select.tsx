// Chooses the kind of pack that is given or taken.

import { SelectField } from '../../ui/form/select-field.tsx'
import { useGrantPackTypes } from './queries.ts'

export interface PackTypeSelectProps {
  /** The id as text, empty while nothing is chosen. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error?: string | undefined
}

export function PackTypeSelect({ value, onChange, error }: PackTypeSelectProps) {
  const { data = [] } = useGrantPackTypes()
  const isEmpty = data.length === 0
  return (
    <SelectField
      label="Pack type"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      placeholder={isEmpty ? 'No pack types found' : 'Choose a pack type'}
      disabled={isEmpty}
      choices={data.map(({ id, name }) => ({ value: String(id), label: name }))}
      {...(error !== undefined && { error })}
    />
  )
}

/** The name of the chosen pack type, empty while nothing is chosen. */
export function usePackTypeName(value: string): string {
  return useGrantPackTypes().data?.find(({ id }) => String(id) === value)?.name ?? ''
}
