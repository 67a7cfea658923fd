// The stream form: what it starts with, and what is sent for what was typed.

import { type AdminStream, CreateStreamRequest, type PresenceMode } from '@redpack/contract'
import * as z from 'zod/mini'
import { easternInputOf, enteredTime } from './eastern-time.ts'
import type { StreamBody } from './stream-queries.ts'

export interface RewardDraft {
  /** Empty for a reward of RedCoin alone. */
  readonly packTypeId: string
  readonly packQuantity: number | null
  readonly redCoinAmount: number
}

/** The form as it is held while it is being filled in. Null is an emptied number. */
export interface StreamDraft {
  readonly displayName: string
  readonly channelName: string
  readonly twitchChannelId: string
  readonly channelUrl: string
  /** Minutes. */
  readonly watchTimeRequired: number | null
  readonly completionMessage: string
  readonly enableChatMessage: boolean
  readonly autoScheduleEnabled: boolean
  /** Times in US Eastern time as the input has them, empty for none. */
  readonly scheduledStartTime: string
  readonly scheduledEndTime: string
  readonly rewardRedCoinAmount: number | null
  readonly rewards: readonly RewardDraft[]
  readonly presenceMode: PresenceMode
}

/** What a new stream starts with. */
export const newStreamDraft: StreamDraft = {
  displayName: '',
  channelName: '',
  twitchChannelId: '',
  channelUrl: '',
  watchTimeRequired: 120,
  completionMessage: "Congratulations! You've earned a pack for watching!",
  enableChatMessage: true,
  autoScheduleEnabled: false,
  scheduledStartTime: '',
  scheduledEndTime: '',
  rewardRedCoinAmount: 0,
  rewards: [],
  presenceMode: 'off',
}

export const newReward: RewardDraft = { packTypeId: '', packQuantity: 1, redCoinAmount: 0 }

export function streamDraftOf(stream: AdminStream): StreamDraft {
  return {
    displayName: stream.displayName,
    channelName: stream.channelName,
    twitchChannelId: stream.twitchChannelId,
    channelUrl: stream.channelUrl,
    watchTimeRequired: stream.watchTimeRequired,
    completionMessage: stream.completionMessage,
    enableChatMessage: stream.enableChatMessage,
    autoScheduleEnabled: stream.autoScheduleEnabled,
    scheduledStartTime: easternInputOf(stream.scheduledStartTime),
    scheduledEndTime: easternInputOf(stream.scheduledEndTime),
    rewardRedCoinAmount: stream.rewardRedCoinAmount,
    rewards: stream.rewards.map(({ packTypeId, packQuantity, redCoinAmount }) => ({
      packTypeId: packTypeId === null ? '' : String(packTypeId),
      packQuantity,
      redCoinAmount,
    })),
    presenceMode: stream.presenceMode,
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
export const StreamForm = z.pipe(
  z.pipe(
    z.custom<StreamDraft>(() => true),
    z.transform(requestOf),
  ),
  CreateStreamRequest,
)
export type StreamRequest = z.infer<typeof StreamForm>

/** What is sent for a draft: the payload's own names for channel and rewards. */
export function streamBodyOf(draft: StreamDraft): StreamBody {
  const { channelName, rewards = [], ...rest } = requestOf(draft)
  return {
    ...rest,
    twitchChannelName: channelName ?? '',
    packRewards: rewards.map(({ packQuantity, ...reward }) => ({
      ...reward,
      ...(packQuantity !== undefined && { quantity: packQuantity }),
    })),
  }
}

/**
 * What an edit sends: only what was changed in the form, so that a schedule keeps the second of two
 * equal hours, and watch time its seconds, when something else is edited.
 */
export function streamChangeOf(draft: StreamDraft, start: StreamDraft): Partial<StreamBody> {
  const [after, before] = [streamBodyOf(draft), streamBodyOf(start)]
  const isChanged = (key: keyof StreamBody) =>
    JSON.stringify(after[key]) !== JSON.stringify(before[key])
  const keys = (Object.keys(after) as (keyof StreamBody)[]).filter(isChanged)
  return Object.fromEntries(keys.map((key) => [key, after[key]])) as Partial<StreamBody>
}

/** What the form last showed of the fields of an edit, as exactly as it is stored. */
export function streamSeen(stream: AdminStream, change: Partial<StreamBody>): Partial<StreamBody> {
  const { channelName: twitchChannelName, rewards: packRewards, ...plain } = stream
  const seen = {
    ...plain,
    twitchChannelName,
    packRewards: packRewards.map(({ packTypeId, quantity, redCoinAmount }) => ({
      packTypeId,
      quantity,
      redCoinAmount,
    })),
  }
  const isSeconds = change.watchTimeRequired !== undefined
  const keys = Object.keys(change).filter((key) => key in seen && key !== 'watchTimeRequired')
  return {
    ...Object.fromEntries(keys.map((key) => [key, seen[key as keyof typeof seen]])),
    ...(isSeconds && { watchTimeRequiredSeconds: stream.watchTimeRequiredSeconds }),
  }
}
