// The stream form: its values, and what saving does.

import {
  type AdminStream,
  CreateStreamRequest,
  adminStreamsContract as contract,
  newStream,
} from '@redpack/contract'
import { useMemo } from 'react'
import type * as z from 'zod/mini'
import { call } from '../../lib/api.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'
import { useCall, usePatches } from '../../lib/use-call.ts'
import { draftRules } from '../../ui/form/kept-draft.ts'
import { editOf, useRecordForm } from '../../ui/form/record-form.ts'
import { easternInputOf, enteredTime } from './eastern-time.ts'

/** How often live flags are asked for while the tab is open, in milliseconds. */
const liveMs = 30_000

/** What is sent for a stream, before the contract makes one form of both readings. */
type StreamBody = z.input<typeof CreateStreamRequest>

export const adminStreamsQuery = {
  ...endpointQuery(contract.list, { shows: ['streams'], empty: [] }),
  refetchInterval: liveMs,
}

/** Activates or deactivates. */
export function useToggleStream() {
  return usePatches(
    adminStreamsQuery.queryKey,
    (patch: Pick<AdminStream, 'id' | 'isActive'>) => [patch],
    ({ id, isActive }) => call(contract.toggle, { params: { id }, body: { isActive } }),
  )
}

interface RewardDraft {
  /** Empty for a reward of RedCoin alone. */
  readonly packTypeId: string
  readonly packQuantity: number | null
  readonly redCoinAmount: number
}

/** What stands in no field: a press on the card, and own packs, which are one of the rewards. */
type Elsewhere = 'isActive' | 'rewardPackTypeId' | 'rewardPackQuantity'
/** Fields that are held in another form than they are stored in. */
interface Typed {
  /** Minutes. */
  readonly watchTimeRequired: number | null
  /** Times in US Eastern time as the input has them, empty for none. */
  readonly scheduledStartTime: string
  readonly scheduledEndTime: string
  readonly rewardRedCoinAmount: number | null
  readonly rewards: readonly RewardDraft[]
}

/** The form as it is held while it is being filled in. Null is an emptied number. */
type StreamDraft = Typed &
  Pick<AdminStream, Exclude<keyof CreateStreamRequest & keyof AdminStream, keyof Typed | Elsewhere>>

const { isActive: _isActive, ...started } = newStream
const newStreamDraft: StreamDraft = {
  ...started,
  displayName: '',
  channelName: '',
  twitchChannelId: '',
  channelUrl: '',
  watchTimeRequired: 120,
  completionMessage: "Congratulations! You've earned a pack for watching!",
  scheduledStartTime: '',
  scheduledEndTime: '',
  rewards: [],
}

export const newReward: RewardDraft = { packTypeId: '', packQuantity: 1, redCoinAmount: 0 }

function streamDraftOf(stream: AdminStream): StreamDraft {
  const names = Object.keys(newStreamDraft) as (keyof StreamDraft)[]
  return {
    ...(Object.fromEntries(names.map((name) => [name, stream[name]])) as unknown as StreamDraft),
    scheduledStartTime: easternInputOf(stream.scheduledStartTime),
    scheduledEndTime: easternInputOf(stream.scheduledEndTime),
    rewards: stream.rewards.map(({ packTypeId, packQuantity, redCoinAmount }) => ({
      packTypeId: packTypeId === null ? '' : String(packTypeId),
      packQuantity,
      redCoinAmount,
    })),
  }
}

/** A time of the input as ISO text in UTC; a text that is no time is left for the rules. */
function momentOf(input: string): string | null {
  if (input === '') return null
  return enteredTime(input)?.moment.toISOString() ?? input
}

/** The request that a draft stands for, before its rules refuse what is emptied or missing. */
function requestOf(draft: StreamDraft): StreamBody {
  return {
    ...draft,
    watchTimeRequired: Math.trunc(draft.watchTimeRequired ?? 0),
    scheduledStartTime: momentOf(draft.scheduledStartTime),
    scheduledEndTime: momentOf(draft.scheduledEndTime),
    rewardRedCoinAmount: Math.trunc(draft.rewardRedCoinAmount ?? Number.NaN),
    rewards: draft.rewards.map(({ packTypeId, packQuantity, redCoinAmount }) => ({
      packTypeId: packTypeId === '' ? null : Number(packTypeId),
      packQuantity: Math.trunc(packQuantity ?? Number.NaN),
      redCoinAmount,
    })),
  }
}

/** Says what is wrong with which field of a draft. */
const StreamForm = draftRules(requestOf, CreateStreamRequest)
type StreamRequest = z.infer<typeof StreamForm>

/** The payload's own names for channel and rewards. */
function named({ channelName, rewards, ...rest }: Partial<StreamBody>): Partial<StreamBody> {
  return {
    ...rest,
    ...(channelName !== undefined && { twitchChannelName: channelName }),
    ...(rewards && {
      packRewards: rewards.map(({ packQuantity: quantity, ...reward }) => ({
        ...reward,
        quantity,
      })),
    }),
  }
}

/**
 * What an edit sends: only what was changed in the form, so that a schedule keeps the second of two
 * equal hours, and watch time its seconds, when something else is edited; and what the form last
 * showed of it, as exactly as it is stored.
 */
function streamChangeOf(draft: StreamDraft, start: StreamDraft, stream: AdminStream) {
  const { expected, ...change } = editOf(requestOf(draft), requestOf(start))
  const sent = {
    ...named(change),
    // Its own packs were shown as one of the rewards, and would come back without the others.
    ...(change.rewards && { rewardPackTypeId: null }),
  }
  const names = Object.keys(sent) as (keyof AdminStream)[]
  if (change.watchTimeRequired !== undefined) names.push('watchTimeRequiredSeconds')
  const seen: Partial<StreamBody> = Object.fromEntries(names.map((name) => [name, stream[name]]))
  return { ...sent, ...(expected && { expected: seen }) }
}

export type StreamFormReturn = ReturnType<typeof useStreamForm>['form']

/** `stream` is the one that is edited; absent for a new one. */
export function useStreamForm(
  stream: AdminStream | undefined,
  isGone: boolean,
  onDone: () => void,
) {
  const { mutateAsync: create } = useCall(contract.create)
  const { mutateAsync: update } = useCall(contract.update)
  const stored = useMemo(() => (stream ? streamDraftOf(stream) : newStreamDraft), [stream])
  const { form, ...rest } = useRecordForm<StreamDraft, StreamRequest>({
    ...{ thing: 'stream', id: stream?.id ?? 'new', stored, rules: StreamForm, isGone, onDone },
    create: (): Promise<unknown> =>
      create({ body: named(requestOf(form.getValues())) as StreamBody }),
    edit: stream && {
      changeOf: (): Partial<StreamBody> => streamChangeOf(form.getValues(), stored, stream),
      send: (body: Partial<StreamBody>) => update({ params: { id: stream.id }, body }),
    },
  })
  return { form, ...rest }
}
