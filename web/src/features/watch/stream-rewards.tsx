// What a completed watch pays: RedCoin, and packs in as many rows as wanted.

import { Plus, Trash2 } from 'lucide-react'
import { useFieldArray } from 'react-hook-form'
import { Button } from '../../ui/form/button.tsx'
import { FormNumber } from '../../ui/form/form-fields.tsx'
import { IconButton } from '../../ui/form/icon-button.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { noPackTypes, useAdminPackTypes } from '../catalogue/pack-type-queries.ts'
import type { StreamPartProps } from './stream-fields.tsx'
import { newReward } from './stream-form-values.ts'

export function StreamRewards({ form }: StreamPartProps) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'rewards' })
  return (
    <fieldset className="min-w-0">
      <legend className="mb-3 font-display text-lg font-semibold">Rewards</legend>
      <FormNumber
        control={form.control}
        name="rewardRedCoinAmount"
        label="RedCoin"
        unit="RedCoin"
        min={0}
        step={10}
        fieldClassName="sm:max-w-[calc(50%-0.625rem)]"
      />
      <ul className="mt-4 grid list-none gap-3 p-0">
        {fields.map(({ id }, index) => (
          <li key={id}>
            <RewardRow form={form} index={index} onRemove={() => remove(index)} />
          </li>
        ))}
      </ul>
      <Button tone="secondary" className="mt-3" onClick={() => append(newReward)}>
        <Plus aria-hidden="true" />
        Add pack reward
      </Button>
    </fieldset>
  )
}

interface RewardRowProps extends StreamPartProps {
  readonly index: number
  readonly onRemove: () => void
}

function RewardRow({ form, index, onRemove }: RewardRowProps) {
  const { data: packTypes, isPending } = useAdminPackTypes()
  const isEmpty = packTypes?.length === 0
  const number = index + 1
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-3 sm:grid-cols-[minmax(0,1fr)_14rem_auto]">
      <SelectField
        label={`Pack of reward ${number}`}
        placeholder={
          isPending ? 'Loading pack types...' : isEmpty ? noPackTypes : 'Select a pack type'
        }
        choices={(packTypes ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
        fieldClassName="col-span-2 sm:col-span-1"
        error={form.formState.errors.rewards?.[index]?.packTypeId?.message}
        {...form.register(`rewards.${index}.packTypeId`)}
      />
      <FormNumber
        control={form.control}
        name={`rewards.${index}.packQuantity`}
        label={`Quantity of reward ${number}`}
        unit={`packs of reward ${number}`}
        min={1}
      />
      <IconButton label={`Remove reward ${number}`} onClick={onRemove}>
        <Trash2 aria-hidden="true" />
      </IconButton>
    </div>
  )
}
