// What holds for sending a prize, folded away in its form: most prizes leave it as it is.

import { adminUsersContract, countryCodes, countryName } from '@redpack/contract'
import { deadlineDaysMax } from '@redpack/contract/limits'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState } from 'react'
import { useController } from 'react-hook-form'
import { call } from '../../lib/api.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'
import { FormNumber, FormSwitch } from '../../ui/form/form-fields.tsx'
import { IconButton } from '../../ui/form/icon-button.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Disclosure } from '../../ui/layout/disclosure.tsx'
import type { PrizeFormReturn } from './prize-form.ts'

interface PrizeDeliveryProps {
  readonly form: PrizeFormReturn
}

export function PrizeDelivery({ form }: PrizeDeliveryProps) {
  const { control, register, formState } = form
  const { deadlineDays, countries, estimatedValue, questions, handlerId, deliversCodes } =
    formState.errors
  const wrong = [deadlineDays, countries, estimatedValue, questions, handlerId, deliversCodes]
  const isWrong = wrong.some(Boolean)
  const [isSeen, setSeen] = useState(false)
  return (
    <Disclosure summary="Delivery" isOpen={isWrong || undefined} onToggle={() => setSeen(true)}>
      <fieldset className="grid min-w-0 gap-5">
        <legend className="sr-only">Delivery</legend>
        <FormSwitch
          control={control}
          name="deliversCodes"
          label="Delivers a code"
          hint="Each win is given a game key or voucher of its own; nothing is sent."
        />
        {deliversCodes?.message && (
          <p role="alert" className="text-sm text-danger">
            {deliversCodes.message}
          </p>
        )}
        <FormNumber
          control={control}
          name="deadlineDays"
          label="Days to give an address"
          hint="After that an unsent win is given up and goes back into stock. Empty for no end."
          unit="days"
          min={1}
          max={deadlineDaysMax}
        />
        <Countries form={form} />
        <div className="grid grid-cols-[minmax(0,1fr)_7rem] gap-4">
          <TextField
            label="Estimated value"
            hint="For the winner's papers"
            inputMode="decimal"
            autoComplete="off"
            error={estimatedValue?.amount?.message ?? estimatedValue?.message}
            {...register('estimatedValue.amount')}
          />
          <TextField
            label="Currency"
            autoComplete="off"
            maxLength={3}
            error={estimatedValue?.currency?.message}
            {...register('estimatedValue.currency')}
          />
        </div>
        <Questions form={form} />
        <Handler form={form} isSeen={isSeen} />
      </fieldset>
    </Disclosure>
  )
}

const byName = countryCodes
  .map((value) => ({ value, label: countryName(value) }))
  .sort((a, b) => a.label.localeCompare(b.label, 'en'))

function Countries({ form }: PrizeDeliveryProps) {
  const { field, fieldState } = useController({ control: form.control, name: 'countries' })
  const chosen = field.value
  const isFree = ({ value }: { readonly value: string }) => !chosen.includes(value)
  return (
    <div className="grid gap-2">
      <SelectField
        ref={field.ref}
        label="Countries it is sent to"
        hint={chosen.length === 0 ? 'Everywhere, until you choose one' : undefined}
        placeholder="Add a country"
        choices={byName.filter(isFree)}
        value=""
        onChange={(event) => field.onChange([...chosen, event.target.value].sort())}
        error={fieldState.error?.message}
      />
      {chosen.length > 0 && (
        <ul aria-label="Chosen countries" className="flex list-none flex-wrap gap-2 p-0">
          {chosen.map((code) => (
            <li
              key={code}
              className="inline-flex min-w-0 items-center rounded-control border border-line ps-3"
            >
              <span className="min-w-0 truncate">{countryName(code)}</span>
              <IconButton
                label={`Remove ${countryName(code)}`}
                onClick={() => field.onChange(chosen.filter((other) => other !== code))}
              >
                <X aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Questions({ form: { register, watch, formState } }: PrizeDeliveryProps) {
  const asked = watch('questions')
  // One more than there are, so that the next can be typed.
  const shown = asked.findLastIndex(({ label, choices }) => label !== '' || choices !== '') + 2
  const { questions: errors } = formState.errors
  return (
    <>
      {asked.slice(0, shown).map(({ choices }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a question is its place
        <div key={index} className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={`Question ${index + 1}`}
            hint="Asked with the address, for example: T-shirt size"
            autoComplete="off"
            error={errors?.[index]?.label?.message ?? (index === 0 ? errors?.message : undefined)}
            {...register(`questions.${index}.label`)}
          />
          <TextField
            label={`Choices of question ${index + 1}`}
            hint={choices === '' ? 'Such as S, M, L. Empty for a free text.' : 'One of these'}
            autoComplete="off"
            error={errors?.[index]?.choices?.message}
            {...register(`questions.${index}.choices`)}
          />
        </div>
      ))}
    </>
  )
}

/** Staff stand first when people are sorted by their roles. */
const staffQuery = { sort: '-role', page: 1, limit: 100 } as const

/** Staff are asked for once it is seen. */
function Handler({
  form: { register, watch, formState },
  isSeen,
}: PrizeDeliveryProps & { readonly isSeen: boolean }) {
  const { data } = useQuery({
    ...endpointQuery(adminUsersContract.list, {
      shows: ['users'],
      key: [staffQuery],
      ask: (signal) => call(adminUsersContract.list, { query: staffQuery, signal }),
      isNeeded: true,
    }),
    enabled: isSeen,
  })
  const people = data === undefined ? [] : 'users' in data ? data.users : data
  const chosen = watch('handlerId')
  const staff = people
    .filter(({ role }) => role !== 'user')
    .map(({ id, displayName }) => ({ value: String(id), label: displayName }))
  const isThere = chosen === '' || staff.some(({ value }) => value === chosen)
  return (
    <SelectField
      label="Handler"
      hint="The member of staff who ships it"
      placeholder="Nobody in particular"
      choices={isThere ? staff : [...staff, { value: chosen, label: `User #${chosen}` }]}
      error={formState.errors.handlerId?.message}
      {...register('handlerId')}
    />
  )
}
