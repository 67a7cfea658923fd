// The Twitch Streams tab: every stream that viewers can earn with.

import { type AdminStream, adminStreamsContract, type PresenceMode } from '@redpack/contract'
import { useQuery } from '@tanstack/react-query'
import { Plus, Trash2, Tv } from 'lucide-react'
import { useController, useFieldArray, useWatch } from 'react-hook-form'
import { formatDateTime, formatRedCoin } from '../../lib/format.ts'
import { useCall } from '../../lib/use-call.ts'
import { reportOutcome } from '../../ui/feedback/outcome.ts'
import { EmptyCard } from '../../ui/feedback/state.tsx'
import { Button, IconButton } from '../../ui/form/button.tsx'
import { FormNumber, FormSwitch, fieldOf } from '../../ui/form/form-fields.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { TextAreaField, TextField, verbatim } from '../../ui/form/text-field.tsx'
import {
  type RecordDialogProps,
  type RecordListProps,
  RecordPanel,
} from '../../ui/layout/record-panel.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { useQuestion } from '../../ui/overlay/question.tsx'
import { KeptCards } from '../../ui/table/deleted-rows.tsx'
import { DeletedLink, useDeletion } from '../audit/shared/deletion.tsx'
import { PackTypeSelect } from '../catalogue/shared/pack-type-select.tsx'
import { type EnteredTime, easternLabel, enteredTime } from './eastern-time.ts'
import { presenceLabels, StaffStreamCard, type StreamActions } from './staff-stream-card.tsx'
import {
  adminStreamsQuery,
  newReward,
  type StreamFormReturn,
  useStreamForm,
  useToggleStream,
} from './use-stream-form.ts'

interface StreamPartProps {
  readonly form: StreamFormReturn
}

const presets = [30, 60, 120]

function StreamFields({ form }: StreamPartProps) {
  const { control, formState } = form
  return (
    <>
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <TextField label="Display name" required {...fieldOf(form, 'displayName')} />
        <TextField
          label="Channel name"
          hint="As in the channel's address."
          required
          {...verbatim}
          {...fieldOf(form, 'channelName')}
        />
        <TextField
          label="Twitch channel ID"
          hint="The channel's number on Twitch."
          required
          inputMode="numeric"
          {...fieldOf(form, 'twitchChannelId')}
        />
        <TextField
          label="Channel URL"
          hint="Leave blank for the channel's page on Twitch."
          inputMode="url"
          {...fieldOf(form, 'channelUrl')}
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
          {...fieldOf(form, 'completionMessage')}
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

const modes = Object.keys(presenceLabels) as PresenceMode[]

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

function StreamRewards({ form }: StreamPartProps) {
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
  const number = index + 1
  const redCoin = form.getValues(`rewards.${index}.redCoinAmount`)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-3 sm:grid-cols-[minmax(0,1fr)_14rem_auto]">
      <PackTypeSelect
        label={`Pack of reward ${number}`}
        fieldClassName="col-span-2 sm:col-span-1"
        {...fieldOf(form, `rewards.${index}.packTypeId`)}
      />
      <FormNumber
        control={form.control}
        name={`rewards.${index}.packQuantity`}
        label={`Quantity of reward ${number}`}
        unit={`packs of reward ${number}`}
        min={1}
        hint={redCoin > 0 && `And ${formatRedCoin(redCoin)}`}
      />
      <IconButton icon={Trash2} label={`Remove reward ${number}`} onClick={onRemove} />
    </div>
  )
}

export function StreamsPanel() {
  const streams = useQuery(adminStreamsQuery)
  return (
    <RecordPanel
      headingId="streams-heading"
      heading="Twitch Watch Timer Streams"
      name="stream"
      addLabel="Add Stream"
      query={streams}
      what="streams"
      skeleton="h-80"
      deletedLink={<DeletedLink action="stream.delete">Deleted streams</DeletedLink>}
      dialog={(props) => <StreamDialog {...props} />}
    >
      {(list) => <StreamList {...list} />}
    </RecordPanel>
  )
}

const nameOf = ({ displayName }: AdminStream) => displayName

function StreamList({ rows: streams, onEdit }: RecordListProps<AdminStream>) {
  const deleted = useDeletion('stream.delete', streams, { headingId: 'streams-heading', nameOf })
  const [askDeletion, question] = useQuestion((stream: AdminStream) => ({
    title: `Delete ${nameOf(stream)}`,
    description: 'Are you sure you want to delete this stream?',
    confirmLabel: 'Confirm',
    onConfirm: () => deleted.remove(stream),
    children: (
      <p className="text-sm text-muted">
        Viewers can no longer earn with it. They keep what they have completed.
      </p>
    ),
  }))
  const actions = useStreamActions(onEdit, askDeletion)
  return (
    <>
      {deleted.rows.length === 0 ? (
        <EmptyCard
          picture={<Tv aria-hidden="true" />}
          title="No streams configured yet"
          description="Add a channel whose viewers earn rewards by watching."
        />
      ) : (
        <KeptCards
          label="Streams"
          deleted={deleted}
          className="grid list-none grid-cols-[repeat(auto-fill,minmax(min(100%,26rem),1fr))] gap-4 p-0"
          labelOf={nameOf}
        >
          {(stream) => <StaffStreamCard stream={stream} actions={actions} />}
        </KeptCards>
      )}
      {question}
    </>
  )
}

function useStreamActions(
  onEdit: (stream: AdminStream) => void,
  onDelete: (stream: AdminStream) => void,
): StreamActions {
  const { mutateAsync: setActive } = useToggleStream()
  const { mutateAsync: setLive } = useCall(adminStreamsContract.setLive)
  const failure = {
    failureTitle: 'Error updating stream status',
    fallback: 'Failed to update stream status',
  }
  const toggle = (stream: AdminStream, isActive: boolean) =>
    void reportOutcome(setActive({ id: stream.id, isActive }), {
      done: `${stream.displayName} is ${isActive ? 'active' : 'inactive'}`,
      action: { label: 'Undo', onSelect: () => toggle(stream, !isActive) },
      ...failure,
    })
  return {
    onEdit,
    onDelete,
    onToggle: toggle,
    onSetLive: (stream, isLive) =>
      void reportOutcome(setLive({ params: { id: stream.id }, body: { isLive } }), {
        done: `${stream.displayName} is ${isLive ? 'live' : 'offline'}`,
        ...failure,
      }),
  }
}

function StreamDialog({ record, isGone, onClose }: RecordDialogProps<AdminStream>) {
  const { form, dialog } = useStreamForm(record, isGone, onClose)
  return (
    <FormDialog
      {...dialog}
      isWide
      onClose={onClose}
      title={record ? 'Edit Stream' : 'Add Stream'}
      className="grid grid-cols-1 gap-6"
      submitLabel={record ? 'Save changes' : 'Create stream'}
    >
      <StreamFields form={form} />
      <ScheduleFields form={form} />
      <StreamRewards form={form} />
    </FormDialog>
  )
}

function ScheduleFields({ form }: StreamPartProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">Auto schedule</legend>
      <FormSwitch
        control={form.control}
        name="autoScheduleEnabled"
        label="Auto schedule"
        hint="Turns the stream on at the start and off at the end."
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
      {...fieldOf(form, name)}
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
