// What staff send about watch-reward streams: both payload forms of the specification, unified.

import * as z from 'zod/mini'
import { integerMax, nameMax, textMax, urlMax } from './limits.ts'
import {
  clearableIf,
  clearableText,
  clearableUrl,
  countNumber,
  crossRule,
  editObject,
  type FieldIssue,
  flag,
  idNumber,
  listOf,
  nameText,
  plainText,
  redCoinNumber,
  requestObject,
  wholeNumber,
} from './values.ts'

const channelRequired = 'Channel name is required'
const packQuantityMin = 'Pack quantity must be at least 1'
const packTypeRequired = 'Select a pack type for this reward'
const rewardsMax = 50

/**
 * What presence in chat does: nothing, it is recorded with the watch time, or watch time counts
 * only with it.
 */
export const presenceModes = ['off', 'observe', 'require'] as const
export const PresenceMode = z.enum(presenceModes, {
  error: 'Presence must be off, observe or require',
})
export type PresenceMode = z.infer<typeof PresenceMode>
const watchMinutesMax = Math.floor(integerMax / 60)

/** A time with zone, or a wall time that the server takes as New York's. */
const wallTime = new RegExp(
  [
    String.raw`^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])`,
    String.raw`T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?`,
    String.raw`(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)?$`,
  ].join(''),
  'i',
)

function scheduled(label: string) {
  const isTime = (text: string) => wallTime.test(text)
  return clearableIf({ label, max: 40 }, isTime, `${label} is not a valid time`)
}

const packTypeId = z.optional(z.nullable(idNumber('Invalid pack type')))
const redCoinAmount = z.optional(redCoinNumber('RedCoin amount must be 0 or greater', 0))
const packQuantity = z.optional(countNumber(packQuantityMin, 1))

function rewardList<T extends z.ZodMiniType>(item: T) {
  return listOf(item, 'Rewards must be a list', rewardsMax, `At most ${rewardsMax} rewards`)
}

interface RewardInput {
  readonly packTypeId?: number | null
  readonly packQuantity?: number
  readonly quantity?: number
  readonly redCoinAmount?: number
}

/**
 * RedCoin alone is fine; packs need their pack type; a row must give something. A stored row
 * without packs reads as no pack type and a quantity of 1, and can be sent back as it is.
 */
function isReward({ packTypeId, packQuantity, quantity = packQuantity, ...row }: RewardInput) {
  if (typeof packTypeId === 'number') return true
  const hasPacks = quantity !== undefined && (quantity > 1 || packTypeId === undefined)
  return !hasPacks && (row.redCoinAmount ?? 0) > 0
}

const givesSomething = () =>
  z.refine<RewardInput>(isReward, { error: packTypeRequired, path: ['packTypeId'] })

const Reward = requestObject({ packTypeId, packQuantity, redCoinAmount }).check(givesSomething())
const PackReward = requestObject({ packTypeId, quantity: packQuantity, redCoinAmount }).check(
  givesSomething(),
)

const channelName = clearableText({ label: 'Channel name', max: nameMax })
const watchMin = 'Watch time must be at least 1 minute'

const fields = {
  displayName: nameText({
    label: 'Display name',
    max: nameMax,
    required: 'Display name is required',
  }),
  channelName: z.optional(channelName),
  twitchChannelName: z.optional(channelName),
  twitchChannelId: nameText({
    label: 'Twitch channel ID',
    max: 64,
    required: 'Twitch channel ID is required',
    // A deleted stream that gave up its channel has a mark appended to it.
  }).check(z.refine((id) => !id.includes('#'), { error: 'Twitch channel ID must not contain #' })),
  channelUrl: z.optional(clearableUrl({ label: 'Channel URL', max: urlMax })),
  /** Minutes. */
  watchTimeRequired: z.optional(
    wholeNumber({
      message: watchMin,
      min: 1,
      max: watchMinutesMax,
      tooLarge: 'Watch time is too large',
    }),
  ),
  /** Seconds; wins over the minutes. */
  watchTimeRequiredSeconds: z.optional(countNumber(watchMin, 60, 'Watch time is too large')),
  completionMessage: plainText({
    label: 'Completion message',
    max: textMax,
    required: 'Completion message is required',
  }),
  enableChatMessage: z.optional(flag('Chat message must be true or false')),
  autoScheduleEnabled: z.optional(flag('Auto schedule must be true or false')),
  scheduledStartTime: z.optional(scheduled('Scheduled start')),
  scheduledEndTime: z.optional(scheduled('Scheduled end')),
  isActive: z.optional(flag('Active must be true or false')),
  rewardPackTypeId: packTypeId,
  rewardPackQuantity: packQuantity,
  rewardRedCoinAmount: redCoinAmount,
  rewards: z.optional(rewardList(Reward)),
  packRewards: z.optional(rewardList(PackReward)),
  presenceMode: z.optional(PresenceMode),
}

interface WatchTime {
  readonly watchTimeRequiredSeconds?: unknown
}

/** Minutes are ignored beside seconds and need not be whole: an answer may have 1.5. */
const secondsWin = z.check<WatchTime & { readonly expected?: WatchTime }>(
  ({ value, issues }) => {
    const counts = issues.filter(({ path = [] }) => {
      const at = path.length === 1 ? value : value.expected
      return path.at(-1) !== 'watchTimeRequired' || at?.watchTimeRequiredSeconds === undefined
    })
    issues.splice(0, issues.length, ...counts)
  },
  { when: () => true },
)

interface ChannelInput {
  readonly channelName?: string | null
  readonly twitchChannelName?: string | null
}

const afterChannel = Object.keys(fields).slice(Object.keys(fields).indexOf('twitchChannelName') + 1)

function channelIssue(input: ChannelInput): FieldIssue | undefined {
  if (input.twitchChannelName || input.channelName) return undefined
  return { path: 'channelName', message: channelRequired, before: afterChannel }
}

function sentChannelIssue(input: ChannelInput): FieldIssue | undefined {
  const isSent = input.channelName !== undefined || input.twitchChannelName !== undefined
  return isSent ? channelIssue(input) : undefined
}

function reward(input: RewardInput) {
  return {
    packTypeId: input.packTypeId ?? null,
    packQuantity: input.quantity ?? input.packQuantity ?? 1,
    redCoinAmount: input.redCoinAmount ?? 0,
  }
}

interface FormInput extends ChannelInput {
  readonly watchTimeRequired?: number
  readonly watchTimeRequiredSeconds?: number
  readonly rewards?: readonly RewardInput[]
  readonly packRewards?: readonly RewardInput[]
}

/**
 * Turns both payload forms into one: one channel name, seconds, one list of rewards. Undefined
 * keeps the stored rewards and an empty list removes them.
 */
function oneForm<T extends FormInput>(input: T) {
  const {
    channelName,
    twitchChannelName,
    watchTimeRequired,
    watchTimeRequiredSeconds,
    rewards,
    packRewards,
    ...rest
  } = input
  const seconds = watchTimeRequired === undefined ? undefined : watchTimeRequired * 60
  return {
    ...rest,
    channelName: twitchChannelName || channelName || undefined,
    watchSecondsRequired: watchTimeRequiredSeconds ?? seconds,
    rewards: (packRewards ?? rewards)?.map(reward),
  }
}

/**
 * A new stream: the five fields of reading A are enough. Parsed, it has `channelName`,
 * `watchSecondsRequired` (undefined for the default of 7200) and one list `rewards`.
 */
export const CreateStreamRequest = z.pipe(
  requestObject(fields).check(crossRule(channelIssue), secondsWin),
  z.transform((input) => ({ ...oneForm(input), channelName: channelOf(input) })),
)

function channelOf(input: ChannelInput): string {
  return input.twitchChannelName || input.channelName || ''
}

/** Any subset, also `isActive` alone; `isLive` is ignored. */
export const UpdateStreamRequest = z.pipe(
  editObject(fields).check(crossRule(sentChannelIssue), secondsWin),
  z.transform(({ expected, ...input }) => ({
    ...oneForm(input),
    expected: expected && oneForm(expected),
  })),
)

/** Without `isActive` the flag is flipped. */
export const ToggleStreamRequest = requestObject({
  isActive: z.optional(flag('Active must be true or false')),
})

/** Sets the live flag by hand; a stream id is made up when none is given. */
export const SetLiveRequest = requestObject({
  isLive: flag('Live must be true or false'),
  currentStreamId: z.optional(clearableText({ label: 'Stream id', max: 200 })),
})
