// The time zone: the whole list, and this browser's own zone at one press.

import { type ComponentPropsWithRef, useMemo } from 'react'
import { Button } from '../../ui/form/button.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { browserTimeZone, timeIn, timeZoneChoices } from './time-zones.ts'

export interface TimeZoneFieldProps
  extends Omit<ComponentPropsWithRef<'select'>, 'id' | 'children'> {
  readonly zone: string
  readonly error: string | undefined
  readonly onChoose: (zone: string) => void
}

export function TimeZoneField({ zone, error, onChoose, ...rest }: TimeZoneFieldProps) {
  const choices = useMemo(() => timeZoneChoices(zone), [zone])
  const own = browserTimeZone()
  const time = zone === '' ? undefined : timeIn(zone, new Date())
  return (
    <div>
      <SelectField
        {...rest}
        label="Time zone"
        placeholder="None"
        choices={choices}
        error={error}
        hint={time && `There it is ${time} now.`}
      />
      {own && own !== zone && (
        <Button
          tone="faint"
          size="compact"
          className="-ms-3 min-h-11"
          onClick={() => onChoose(own)}
        >
          Use this device's zone ({own.replaceAll('_', ' ')})
        </Button>
      )}
    </div>
  )
}
