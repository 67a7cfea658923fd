// The auto-schedule window, entered in US Eastern time.

import { useWatch } from 'react-hook-form'
import { formatDateTime } from '../../lib/format.ts'
import { FormSwitch } from '../../ui/form/form-fields.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { type EnteredTime, easternLabel, enteredTime } from './eastern-time.ts'
import type { StreamPartProps } from './stream-fields.tsx'

export function ScheduleFields({ form }: StreamPartProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">Auto schedule</legend>
      <FormSwitch
        control={form.control}
        name="autoScheduleEnabled"
        label="Auto schedule"
        hint="Activates the stream when the window begins and deactivates it when it ends."
      />
      <div className="mt-3 grid grid-cols-1 gap-5 sm:grid-cols-2">
        <EasternField form={form} name="scheduledStartTime" label="Start" />
        <EasternField form={form} name="scheduledEndTime" label="End" />
      </div>
    </fieldset>
  )
}

interface EasternFieldProps extends StreamPartProps {
  readonly name: 'scheduledStartTime' | 'scheduledEndTime'
  readonly label: string
}

/** The label says which of the two names the zone has on the entered day. */
function EasternField({ form, name, label }: EasternFieldProps) {
  const entered = enteredTime(useWatch({ control: form.control, name }))
  const zone = easternLabel(entered?.moment ?? new Date())
  return (
    <TextField
      label={`${label} (US Eastern time, ${zone})`}
      type="datetime-local"
      hint={entered && hintOf(entered)}
      error={form.formState.errors[name]?.message}
      {...form.register(name)}
    />
  )
}

function hintOf({ moment, note }: EnteredTime): string {
  const local = `${formatDateTime(moment.toISOString())} where you are.`
  if (note === 'skipped')
    return `This hour is skipped that night, so it is one hour later. ${local}`
  if (note === 'twice') return `This hour comes twice that night; the first one counts. ${local}`
  return local
}
