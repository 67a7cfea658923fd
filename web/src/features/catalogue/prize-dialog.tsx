// The dialog in which a prize is made or changed.

import type { AdminPrize } from '@redpack/contract'
import { useController } from 'react-hook-form'
import { Notice } from '../../ui/feedback/notice.tsx'
import { CheckboxGroup } from '../../ui/form/toggle-fields.tsx'
import { FormActions, FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { noPackTypes, useAdminPackTypes } from './pack-type-queries.ts'
import { PrizeFields, type PrizePartProps, PrizeSupply } from './prize-fields.tsx'
import { PrizeImageField, useIsReadingImage } from './prize-image-field.tsx'
import { PrizeOdds } from './prize-odds.tsx'
import { usePrizeForm } from './use-prize-form.ts'

export interface PrizeDialogProps {
  /** The prize that is edited; absent for a new one. */
  readonly prize: AdminPrize | undefined
  /** True once somebody else has deleted it. */
  readonly isGone: boolean
  /** Every prize, for the chances of the packs. */
  readonly prizes: readonly AdminPrize[]
  readonly defaultTotalPacks: number
  readonly onClose: () => void
}

/** Open as long as it is mounted; give it the prize's id as key. */
export function PrizeDialog(props: PrizeDialogProps) {
  const { prize, isGone, prizes, defaultTotalPacks, onClose } = props
  const { form, save, shared, isSaving } = usePrizeForm(prize, isGone, defaultTotalPacks, onClose)
  const isReading = useIsReadingImage()
  return (
    <FormDialog
      isOpen
      isWide
      onClose={onClose}
      title={prize ? 'Edit Prize' : 'Add New Prize'}
      isUnsaved={form.formState.isDirty}
    >
      <form noValidate onSubmit={save}>
        <div className="grid grid-cols-1 gap-x-8 gap-y-5 lg:grid-cols-2">
          <PrizeFields form={form} />
          <div className="grid content-start gap-5">
            <PrizePackTypes form={form} />
            <PrizeOdds form={form} prizeId={prize?.id ?? 0} prizes={prizes} />
            <PrizeSupply form={form} />
            <PrizeImageField form={form} />
          </div>
        </div>
        <FormActions
          submitLabel={prize ? 'Save changes' : 'Create prize'}
          pendingLabel={isReading ? 'Reading picture...' : 'Saving...'}
          isPending={isSaving || isReading}
          shared={shared}
        />
      </form>
    </FormDialog>
  )
}

/** In which packs a prize can be found: ticks, and a warning while there is none. */
function PrizePackTypes({ form }: PrizePartProps) {
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
