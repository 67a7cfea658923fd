// The dialog in which a prize is made or changed.

import { type AdminPrize, adminUsersContract, countryCodes, countryName } from '@redpack/contract'
import { deadlineDaysMax } from '@redpack/contract/limits'
import { useIsMutating, useMutation } from '@tanstack/react-query'
import { CircleAlert, X } from 'lucide-react'
import { useState } from 'react'
import { useController } from 'react-hook-form'
import { cn } from '../../lib/class-names.ts'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { readDataUrl, shrinkImage } from '../../lib/image-file.ts'
import { IconButton } from '../../ui/form/button.tsx'
import { FormCheckbox, FormNumber, FormSwitch, fieldOf } from '../../ui/form/form-fields.tsx'
import { SelectField, withChosen } from '../../ui/form/select-field.tsx'
import { TextAreaField, TextField } from '../../ui/form/text-field.tsx'
import { CheckboxGroup } from '../../ui/form/toggle-fields.tsx'
import type { RecordDialogProps } from '../../ui/layout/record-panel.tsx'
import { Disclosure } from '../../ui/layout/section.tsx'
import { ImageField } from '../../ui/media/image-field.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { noPackTypes, useNamedPackTypes } from './pack-type-queries.ts'
import { PrizePicture } from './prize-card.tsx'
import { fallbacks, type PrizeFormReturn, usePrizeForm } from './prize-form.ts'
import { PrizeOdds } from './prize-odds.tsx'
import { PackTypeSelect } from './shared/pack-type-select.tsx'

function PrizeDelivery({ form }: PrizePartProps) {
  const { control, register, formState } = form
  const { deadlineDays, countries, estimatedValue, questions, handlerId, deliversCodes } =
    formState.errors
  const wrong = [deadlineDays, countries, estimatedValue, questions, handlerId, deliversCodes]
  const isWrong = wrong.some(Boolean)
  const [isSeen, setSeen] = useState(false)
  // What is put right stays unfolded until somebody folds it.
  const [isHeldOpen, setHeldOpen] = useState(false)
  if (isWrong && !isHeldOpen) setHeldOpen(true)
  const onToggle = () => {
    setSeen(true)
    setHeldOpen(isWrong)
  }
  return (
    <Disclosure summary="Delivery" isOpen={isHeldOpen || undefined} onToggle={onToggle}>
      <fieldset className="grid min-w-0 gap-5">
        <legend className="sr-only">Delivery</legend>
        <FormSwitch
          control={control}
          name="deliversCodes"
          label="Delivers a code"
          hint="Each win gets its own game key or voucher; nothing is sent."
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
          hint="After that, wins without an address lapse and go back into stock. Leave blank for no deadline."
          unit="days"
          min={1}
          max={deadlineDaysMax}
        />
        <Countries form={form} />
        <div className="grid grid-cols-[minmax(0,1fr)_7rem] gap-4">
          <TextField
            label="Estimated value"
            hint="For the winner's records"
            inputMode="decimal"
            error={estimatedValue?.amount?.message ?? estimatedValue?.message}
            {...register('estimatedValue.amount')}
          />
          <TextField
            label="Currency"
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

function Countries({ form }: PrizePartProps) {
  const { field, fieldState } = useController({ control: form.control, name: 'countries' })
  const chosen = field.value
  const isFree = ({ value }: { readonly value: string }) => !chosen.includes(value)
  return (
    <div className="grid gap-2">
      <SelectField
        ref={field.ref}
        label="Ships to"
        hint={chosen.length === 0 ? 'Everywhere, unless you choose countries' : undefined}
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
                icon={X}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Questions({ form: { register, watch, formState } }: PrizePartProps) {
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
            error={errors?.[index]?.label?.message ?? (index === 0 ? errors?.message : undefined)}
            {...register(`questions.${index}.label`)}
          />
          <TextField
            label={`Choices of question ${index + 1}`}
            hint={
              choices === ''
                ? 'For example S, M, L. Leave blank for free text.'
                : 'The winner picks one'
            }
            error={errors?.[index]?.choices?.message}
            {...register(`questions.${index}.choices`)}
          />
        </div>
      ))}
    </>
  )
}

/** Staff, who stand first when people are sorted by their roles, are asked for once it is seen. */
function Handler({ form, isSeen }: PrizePartProps & { readonly isSeen: boolean }) {
  const { data } = useEndpoint(adminUsersContract.list, {
    shows: ['users'],
    options: { query: { sort: 'role', page: 1, limit: 100 } },
    enabled: isSeen,
  })
  const people = data === undefined ? [] : 'users' in data ? data.users : data
  const chosen = form.watch('handlerId')
  const staff = people
    .filter(({ role }) => role !== 'user')
    .map(({ id, displayName }) => ({ value: String(id), label: displayName }))
  return (
    <SelectField
      label="Handler"
      hint="The member of staff who ships it"
      placeholder="No one"
      choices={withChosen(staff, chosen, `User #${chosen}`)}
      {...fieldOf(form, 'handlerId')}
    />
  )
}

export interface PrizeDialogProps extends RecordDialogProps<AdminPrize> {
  /** Every prize, for the chances of the packs. */
  readonly prizes: readonly AdminPrize[]
  readonly defaultTotalPacks: number
}

export function PrizeDialog(props: PrizeDialogProps) {
  const { record, isGone, prizes, defaultTotalPacks, onClose } = props
  const { form, dialog } = usePrizeForm(record, isGone, defaultTotalPacks, onClose)
  // What is saved while a picture is being read would be without it.
  const isReading = useIsMutating({ mutationKey: readKey }) > 0
  return (
    <FormDialog
      {...dialog}
      isWide
      onClose={onClose}
      title={record ? 'Edit Prize' : 'Add New Prize'}
      submitLabel={record ? 'Save changes' : 'Create prize'}
      pendingLabel={isReading ? 'Reading picture...' : 'Saving...'}
      isPending={dialog.isPending || isReading}
    >
      <div className="grid grid-cols-1 gap-x-8 gap-y-5 lg:grid-cols-2">
        <PrizeFields form={form} />
        <div className="grid content-start gap-5">
          <PrizePackTypes form={form} />
          <PrizeOdds form={form} prizeId={record?.id ?? 0} prizes={prizes} />
          <Stock form={form} />
          <FormSwitch
            control={form.control}
            name="isActive"
            label="Active"
            hint="Inactive prizes are never drawn."
          />
          <PrizeImageField form={form} />
          <PrizeDelivery form={form} />
        </div>
      </div>
    </FormDialog>
  )
}

/** In which packs a prize can be found: ticks, and a warning while there is none. */
function PrizePackTypes({ form }: PrizePartProps) {
  const { field, fieldState } = useController({ control: form.control, name: 'packTypeIds' })
  const { data: packTypes = [], isPending } = useNamedPackTypes()
  const error = fieldState.error?.message
  return (
    <CheckboxGroup
      label="Pack types"
      choices={packTypes.map(({ id, name }) => ({ value: id, label: name }))}
      values={field.value}
      onChange={field.onChange}
      empty={isPending ? 'Loading pack types...' : noPackTypes}
    >
      {/* A hint until it was sent; its room stays, so that nothing below moves. */}
      <p
        role={error ? 'alert' : 'status'}
        className={cn('flex min-h-6 gap-1.5 text-sm', error ? 'text-danger' : 'text-muted')}
      >
        {field.value.length === 0 && (
          <>
            {error && <CircleAlert className="mt-0.5 size-4 flex-none" />}
            Select at least one pack type for this prize
          </>
        )}
      </p>
    </CheckboxGroup>
  )
}

// The picture of a prize in its form: read here, sent with the rest as a data URL.
const readKey = ['read-image'] as const

function PrizeImageField({ form }: PrizePartProps) {
  const image = form.watch('image')
  const set = (data: string, type: string) => {
    form.setValue('image', data, { shouldDirty: true })
    form.setValue('imageType', type, { shouldDirty: true })
  }
  const reading = useMutation({
    mutationKey: readKey,
    mutationFn: async (file: File) => {
      const small = await shrinkImage(file)
      const data = await readDataUrl(small)
      set(data, small.type)
      return data
    },
    // Nothing of it goes over the network.
    networkMode: 'always',
  })
  return (
    <ImageField
      label="Prize image"
      hint="Best at 200x240 px."
      preview={<PrizePicture image={{ imageUrl: image }} />}
      picture={image}
      onFile={reading.mutateAsync}
      onRemove={image === '' ? undefined : () => set('', '')}
      isPending={reading.isPending}
    />
  )
}

interface PrizePartProps {
  readonly form: PrizeFormReturn
}

function PrizeFields({ form }: PrizePartProps) {
  const { control } = form
  return (
    <div className="grid content-start gap-5">
      <TextField label="Name" required {...fieldOf(form, 'name')} />
      <TextAreaField label="Description" required rows={3} {...fieldOf(form, 'description')} />
      <TextAreaField
        label="Claim instructions"
        hint="Shown to the winner, for example where to send the Claim ID."
        rows={3}
        {...fieldOf(form, 'claimInstructions')}
      />
      <FormNumber
        control={control}
        name="redCoinAmount"
        emptied={fallbacks.redCoinAmount}
        label="RedCoin amount"
        hint="0 for a physical prize. Other amounts are paid at once."
        unit="RedCoin"
        required
        min={0}
      />
      <PackReward form={form} />
    </div>
  )
}

function PackReward({ form }: PrizePartProps) {
  const { control, watch } = form
  const packTypeId = watch('packTypeId')
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
      <PackTypeSelect
        label="Pack reward"
        placeholder="No pack reward"
        chosen={packTypeId}
        {...fieldOf(form, 'packTypeId')}
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
            hint="Packs are delivered at once. Turn this on if staff must send something too."
          />
        </div>
      )}
    </div>
  )
}

function Stock({ form }: PrizePartProps) {
  const { control, watch } = form
  if (watch('deliversCodes')) {
    return (
      <p className="text-muted">
        The stock is the number of unused codes. Add them under Inventory after creating the prize.
      </p>
    )
  }
  return (
    <div className="grid gap-2">
      <FormCheckbox
        control={control}
        name="isUnlimited"
        label="Unlimited inventory"
        hint="Never sells out."
      />
      {!watch('isUnlimited') && (
        <FormNumber
          control={control}
          name="inventoryQuantity"
          emptied={fallbacks.inventoryQuantity}
          label="Inventory quantity"
          hint="How many can still be won. When it is sold out, the consolation is paid instead."
          unit="units"
          min={0}
        />
      )}
    </div>
  )
}
