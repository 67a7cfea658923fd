// In which packs a prize can be found: ticks, and a warning while there is none.

import { useController } from 'react-hook-form'
import { CheckboxGroup } from '../../ui/checkbox-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { noPackTypes, useAdminPackTypes } from './pack-type-queries.ts'
import type { PrizePartProps } from './prize-fields.tsx'

export function PrizePackTypes({ form }: PrizePartProps) {
  const { field, fieldState } = useController({ control: form.control, name: 'packTypeIds' })
  const { data: packTypes = [], isPending } = useAdminPackTypes()
  const error = fieldState.error?.message
  return (
    <CheckboxGroup
      label="Pack types"
      choices={packTypes.map(({ id, name }) => ({ value: id, label: name }))}
      values={field.value}
      onChange={field.onChange}
      empty={isPending ? 'Loading pack types...' : noPackTypes}
    >
      {field.value.length === 0 && (
        <Notice tone={error ? 'danger' : 'warning'} role="status" className="mt-2">
          Select at least one pack type for this prize
        </Notice>
      )}
    </CheckboxGroup>
  )
}
