// The fields of a listing, in the page and in the dialog.

import { useController, useWatch } from 'react-hook-form'
import { cn } from '../../lib/class-names.ts'
import { Notice } from '../../ui/feedback/state.tsx'
import { FormNumber, FormSwitch, fieldOf } from '../../ui/form/form-fields.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { SwitchField } from '../../ui/form/toggle-fields.tsx'
import type { ListingFormReturn } from './listing-form.ts'
import { previewSentences, useEconomyPreview } from './prize-words.ts'
import { PackTypeSelect } from './shared/pack-type-select.tsx'

export interface ListingFieldsProps {
  readonly form: ListingFormReturn
  readonly className?: string
}

export function ListingFields({ form, className }: ListingFieldsProps) {
  const { control } = form
  return (
    <div className={cn('grid grid-cols-1 gap-x-6 gap-y-5 sm:grid-cols-2', className)}>
      <PackTypeSelect fieldClassName="sm:col-span-2" required {...fieldOf(form, 'packTypeId')} />
      <FormNumber
        control={control}
        name="redCoinPrice"
        label="Price (RedCoin)"
        unit="RedCoin"
        required
        min={1}
      />
      <Quantity form={form} />
      <FormNumber
        control={control}
        name="sortOrder"
        label="Sort order"
        hint="Lower comes first in the store."
        unit="sort order"
        min={0}
      />
      <TextField
        label="Custom image URL"
        hint="Replaces the pack's own picture."
        autoComplete="off"
        inputMode="url"
        {...fieldOf(form, 'customImage')}
      />
      <div className="col-span-full flex flex-wrap gap-x-10 gap-y-2">
        <Unlimited form={form} />
        <FormSwitch control={control} name="isActive" label="Active" hint="Shown in the store." />
      </div>
      <PricePreview form={form} />
    </div>
  )
}

/** The number stays while the switch is on; leaving it empty turns the switch on. */
function Quantity({ form }: { readonly form: ListingFormReturn }) {
  const leave = () => {
    if (form.getValues('quantityAvailable') !== null) return
    form.setValue('isUnlimited', true, { shouldDirty: true })
  }
  return (
    <FormNumber
      control={form.control}
      name="quantityAvailable"
      label="Quantity available"
      hint="Empty means unlimited."
      unit="packs for sale"
      min={0}
      onBlur={leave}
      disabled={form.watch('isUnlimited')}
    />
  )
}

function Unlimited({ form }: { readonly form: ListingFormReturn }) {
  const { field } = useController({ control: form.control, name: 'isUnlimited' })
  return (
    <SwitchField
      label="Unlimited"
      isOn={field.value}
      onChange={(isOn) => {
        field.onChange(isOn)
        if (!isOn && form.getValues('quantityAvailable') === null) {
          form.setValue('quantityAvailable', 0, { shouldDirty: true })
        }
      }}
    />
  )
}

/** Nothing while there is no pack type and no price, or nothing to warn of. */
function PricePreview({ form }: { readonly form: ListingFormReturn }) {
  const [packTypeId, price, isActive] = useWatch({
    control: form.control,
    name: ['packTypeId', 'redCoinPrice', 'isActive'],
  })
  const redCoinPrice = Math.trunc(price ?? 0)
  const isComplete = packTypeId !== '' && redCoinPrice >= 1 && isActive
  const preview = useEconomyPreview(
    isComplete ? { price: { packTypeId: Number(packTypeId), redCoinPrice } } : undefined,
  )
  const { warnings } = previewSentences(preview, false)
  return warnings.map(({ key, message }) => (
    <Notice key={key} tone="warning" role="status" className="col-span-full">
      {message}
    </Notice>
  ))
}
