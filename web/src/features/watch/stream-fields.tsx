// The fields of a stream: its channel, how long to watch, and what is said at the end.

import type { PresenceMode } from '@redpack/contract'
import { Plus, Trash2 } from 'lucide-react'
import { useController, useFieldArray, useWatch } from 'react-hook-form'
import { Button } from '../../ui/form/button.tsx'
import { FormNumber, FormSwitch } from '../../ui/form/form-fields.tsx'
import { IconButton } from '../../ui/form/icon-button.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { TextAreaField, TextField } from '../../ui/form/text-field.tsx'
import { noPackTypes, useAdminPackTypes } from '../catalogue/pack-type-queries.ts'
import { presenceLabels } from './staff-stream-card.tsx'
import { newReward, type StreamFormReturn } from './use-stream-form.ts'

export interface StreamPartProps {
  readonly form: StreamFormReturn
}

const presets = [30, 60, 120]

export function StreamFields({ form }: StreamPartProps) {
  const { register, control, formState } = form
  const { errors } = formState
  return (
    <>
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <TextField
          label="Display name"
          required
          autoComplete="off"
          error={errors.displayName?.message}
          {...register('displayName')}
        />
        <TextField
          label="Channel name"
          hint="As in the channel's address."
          required
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          error={errors.channelName?.message}
          {...register('channelName')}
        />
        <TextField
          label="Twitch channel ID"
          hint="The channel's number on Twitch."
          required
          autoComplete="off"
          inputMode="numeric"
          error={errors.twitchChannelId?.message}
          {...register('twitchChannelId')}
        />
        <TextField
          label="Channel URL"
          hint="Empty means the channel's page on Twitch."
          autoComplete="off"
          inputMode="url"
          error={errors.channelUrl?.message}
          {...register('channelUrl')}
        />
        <div>
          <FormNumber
            control={control}
            name="watchTimeRequired"
            label="Watch time (minutes)"
            unit="minutes"
            required
            min={1}
            step={5}
          />
          <div className="mt-2 flex flex-wrap gap-2">
            {presets.map((minutes) => (
              <Button
                key={minutes}
                tone="secondary"
                size="compact"
                className="min-h-11"
                onClick={() =>
                  form.setValue('watchTimeRequired', minutes, {
                    shouldDirty: true,
                    shouldValidate: formState.isSubmitted,
                  })
                }
              >
                {minutes} min
              </Button>
            ))}
          </div>
        </div>
        <Presence form={form} />
      </div>
      <div className="grid gap-3">
        <TextAreaField
          label="Completion message"
          hint="{username} stands for the viewer's name."
          required
          rows={3}
          error={errors.completionMessage?.message}
          {...register('completionMessage')}
        />
        <MessagePreview form={form} />
        <FormSwitch
          control={control}
          name="enableChatMessage"
          label="Chat message"
          hint="The bot posts the completion message in the channel's chat."
        />
      </div>
    </>
  )
}

function MessagePreview({ form }: StreamPartProps) {
  const message = useWatch({ control: form.control, name: 'completionMessage' })
  if (!message.includes('{username}')) return null
  return (
    <p className="break-words text-sm text-muted">
      Preview: <q>{message.replaceAll('{username}', 'PixelOtter')}</q>
    </p>
  )
}

const modes: readonly PresenceMode[] = ['off', 'observe', 'require']

function Presence({ form }: StreamPartProps) {
  const { field } = useController({ control: form.control, name: 'presenceMode' })
  return (
    <SelectField
      label="Presence in chat"
      hint={presenceLabels[field.value].hint}
      choices={modes.map((value) => ({ value, label: presenceLabels[value].label }))}
      {...field}
    />
  )
}

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
      <Button icon={Plus} tone="secondary" className="mt-3" onClick={() => append(newReward)}>
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
      <IconButton icon={Trash2} label={`Remove reward ${number}`} onClick={onRemove} />
    </div>
  )
}
