// The fields of the prize form that speak of the prize itself: words, reward and supply.

import { FormCheckbox, FormNumber, FormSwitch } from '../../ui/form/form-fields.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { TextAreaField, TextField } from '../../ui/form/text-field.tsx'
import { noPackTypes, useAdminPackTypes } from './pack-type-queries.ts'
import { fallbacks } from './prize-form-values.ts'
import type { PrizeFormReturn } from './use-prize-form.ts'

export interface PrizePartProps {
  readonly form: PrizeFormReturn
}

export function PrizeFields({ form }: PrizePartProps) {
  const { register, control, formState } = form
  const { errors } = formState
  return (
    <div className="grid content-start gap-5">
      <TextField
        label="Name"
        required
        autoComplete="off"
        error={errors.name?.message}
        {...register('name')}
      />
      <TextAreaField
        label="Description"
        required
        rows={3}
        error={errors.description?.message}
        {...register('description')}
      />
      <TextAreaField
        label="Claim instructions"
        hint="Shown to the winner, for example where to send the Claim ID."
        rows={3}
        error={errors.claimInstructions?.message}
        {...register('claimInstructions')}
      />
      <FormNumber
        control={control}
        name="redCoinAmount"
        emptied={fallbacks.redCoinAmount}
        label="RedCoin amount"
        hint="0 makes a physical prize. Anything else is paid at once."
        unit="RedCoin"
        required
        min={0}
      />
      <PackReward form={form} />
    </div>
  )
}

/** Whether and how often it can be won at all. */
export function PrizeSupply({ form }: PrizePartProps) {
  return (
    <>
      <Stock form={form} />
      <FormSwitch
        control={form.control}
        name="isActive"
        label="Active"
        hint="An inactive prize is never drawn."
      />
    </>
  )
}

/** Packs that come with the prize, if any. */
function PackReward({ form }: PrizePartProps) {
  const { register, control, watch, formState } = form
  const { data: packTypes = [] } = useAdminPackTypes()
  const packTypeId = watch('packTypeId')
  const known = packTypes.map(({ id, name }) => ({ value: String(id), label: name }))
  const isKnown = packTypeId === '' || known.some(({ value }) => value === packTypeId)
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
      <SelectField
        label="Pack reward"
        placeholder="No pack reward"
        choices={[
          ...known,
          ...(isKnown ? [] : [{ value: packTypeId, label: `Pack type #${packTypeId}` }]),
        ]}
        hint={packTypes.length === 0 ? noPackTypes : undefined}
        error={formState.errors.packTypeId?.message}
        {...register('packTypeId')}
      />
      {packTypeId !== '' && (
        <FormNumber
          control={control}
          name="packQuantity"
          emptied={fallbacks.packQuantity}
          label="Pack quantity"
          unit="packs"
          min={0}
        />
      )}
      {packTypeId !== '' && (
        <div className="sm:col-span-2">
          <FormSwitch
            control={control}
            name="isAlsoSent"
            label="Something is also sent"
            hint="Packs alone are delivered when they are won. With this, staff complete the claim."
          />
        </div>
      )}
    </div>
  )
}

function Stock({ form }: PrizePartProps) {
  const { control, watch } = form
  return (
    <div className="grid gap-2">
      <FormCheckbox
        control={control}
        name="isUnlimited"
        label="Unlimited inventory"
        hint="It is never sold out."
      />
      {!watch('isUnlimited') && (
        <FormNumber
          control={control}
          name="inventoryQuantity"
          emptied={fallbacks.inventoryQuantity}
          label="Inventory quantity"
          hint="How many can still be won. At 0 a draw of it pays the consolation."
          unit="units"
          min={0}
        />
      )}
    </div>
  )
}
