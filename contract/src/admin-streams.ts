// Watch-reward streams as staff manage them, under both prefixes (W-060 to W-066). Both payload
// forms of the specification are unified here.

import * as z from 'zod/mini'
import { ActionAnswer, NamedRow, Timestamp } from './answers.ts'
import { endpoint } from './endpoint.ts'
import { integerMax, nameMax, textMax, urlMax } from './limits.ts'
import {
  clearableIf,
  clearableText,
  clearableUrl,
  countNumber,
  crossRule,
  editObject,
  entered,
  type FieldIssue,
  flag,
  idNumber,
  listOf,
  nameText,
  plainText,
  redCoinNumber,
  requestObject,
  shapeOf,
  startOf,
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
const PresenceMode = z.enum(['off', 'observe', 'require'], {
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
const redCoinAmount = redCoinNumber('RedCoin amount must be 0 or greater', 0)
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
const rowCoins = z.optional(redCoinAmount)
const Reward = requestObject({ packTypeId, packQuantity, redCoinAmount: rowCoins }).check(
  givesSomething(),
)
const PackReward = requestObject({
  packTypeId,
  quantity: packQuantity,
  redCoinAmount: rowCoins,
}).check(givesSomething())

export const AdminStreamReward = z.object({
  /** 0 for the stream's own packs, which count if it has no other reward. */
  id: z.int(),
  streamId: z.int(),
  packTypeId: z.nullable(z.int()),
  packQuantity: z.int(),
  quantity: z.int(),
  redCoinAmount: z.int(),
  packType: z.nullable(NamedRow),
})
export type AdminStreamReward = z.infer<typeof AdminStreamReward>

const channelName = z.optional(clearableText({ label: 'Channel name', max: nameMax }))
const watchMin = 'Watch time must be at least 1 minute'

/** Each field that staff enter, once: requests, answers, rows and the form follow from here. */
const fields = {
  displayName: entered(
    z.string(),
    nameText({ label: 'Display name', max: nameMax, required: 'Display name is required' }),
  ),
  channelName: entered(z.string(), channelName),
  twitchChannelName: entered(z.string(), channelName),
  twitchChannelId: entered(
    z.string(),
    nameText({
      label: 'Twitch channel ID',
      max: 64,
      required: 'Twitch channel ID is required',
      // A deleted stream that gave up its channel has a mark appended to it.
    }).check(
      z.refine((id) => !id.includes('#'), { error: 'Twitch channel ID must not contain #' }),
    ),
  ),
  channelUrl: entered(z.string(), clearableUrl({ label: 'Channel URL', max: urlMax }), null),
  /** Minutes; an answer may have a fraction. */
  watchTimeRequired: entered(
    z.number(),
    z.optional(
      wholeNumber({
        message: watchMin,
        min: 1,
        max: watchMinutesMax,
        tooLarge: 'Watch time is too large',
      }),
    ),
  ),
  /** Seconds; wins over the minutes. */
  watchTimeRequiredSeconds: entered(
    z.int(),
    z.optional(countNumber(watchMin, 60, 'Watch time is too large')),
  ),
  completionMessage: entered(
    z.string(),
    plainText({
      label: 'Completion message',
      max: textMax,
      required: 'Completion message is required',
    }),
  ),
  enableChatMessage: entered(z.boolean(), flag('Chat message must be true or false'), true),
  autoScheduleEnabled: entered(z.boolean(), flag('Auto schedule must be true or false'), false),
  scheduledStartTime: entered(z.nullable(Timestamp), scheduled('Scheduled start'), null),
  scheduledEndTime: entered(z.nullable(Timestamp), scheduled('Scheduled end'), null),
  isActive: entered(z.boolean(), flag('Active must be true or false'), true),
  rewardPackTypeId: entered(z.nullable(z.int()), packTypeId),
  rewardPackQuantity: entered(z.int(), packQuantity),
  rewardRedCoinAmount: entered(z.int(), redCoinAmount, 0),
  rewards: entered(z.array(AdminStreamReward), z.optional(rewardList(Reward))),
  packRewards: entered(z.array(AdminStreamReward), z.optional(rewardList(PackReward))),
  presenceMode: entered(PresenceMode, PresenceMode, 'off'),
}
const sent = shapeOf(fields, 'sent')

/** What a new stream starts with where nothing is said. */
export const newStream = startOf(sent)

export const AdminStream = z.object({
  id: z.int(),
  ...shapeOf(fields, 'answer'),
  isLive: z.boolean(),
  currentStreamId: z.nullable(z.string()),
  streamStartedAt: z.nullable(Timestamp),
  streamEndedAt: z.nullable(Timestamp),
  /** When the list of chatters was last read completely. */
  chattersReadAt: z.nullable(Timestamp),
  /** True while the live flag is the one that staff set; ends when Twitch says the same. */
  isLiveByHand: z.boolean(),
  /** When Twitch last answered whether the channel is live. */
  liveCheckedAt: z.nullable(Timestamp),
})
export type AdminStream = z.infer<typeof AdminStream>

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

/** A new stream: the five fields of reading A are enough. */
export const CreateStreamRequest = z.pipe(
  requestObject(sent).check(crossRule(channelIssue), secondsWin),
  z.transform((input) => {
    const { channelName = '', watchSecondsRequired = 7_200, rewards = [], ...rest } = oneForm(input)
    return { ...rest, channelName, watchSecondsRequired, rewards }
  }),
)
export type CreateStreamRequest = z.infer<typeof CreateStreamRequest>

/** Any subset, also `isActive` alone; `isLive` is ignored. */
export const UpdateStreamRequest = z.pipe(
  editObject(sent).check(crossRule(sentChannelIssue), secondsWin),
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

export const adminStreamsContract = {
  list: endpoint('staff', 'GET', '/api/admin/twitch/streams', {
    summary: 'Lists every stream.',
    response: z.array(AdminStream),
  }),
  create: endpoint('staff', 'POST', '/api/admin/twitch/streams', {
    changes: ['streams'],
    summary: 'Creates a stream.',
    bodyLimit: 'texts',
    body: CreateStreamRequest,
    response: AdminStream,
    domainErrors: ['not_found', 'duplicate'],
  }),
  update: endpoint('staff', 'PUT', '/api/admin/twitch/streams/{id}', {
    changes: ['streams'],
    summary: 'Changes the given fields of a stream.',
    bodyLimit: 'texts',
    body: UpdateStreamRequest,
    response: AdminStream,
    domainErrors: ['not_found', 'duplicate', 'changed_meanwhile'],
  }),
  toggle: endpoint('staff', 'PUT', '/api/admin/twitch/streams/{id}/toggle', {
    changes: ['streams'],
    summary: 'Activates or deactivates a stream.',
    body: ToggleStreamRequest,
    response: AdminStream,
  }),
  remove: endpoint('staff', 'DELETE', '/api/admin/twitch/streams/{id}', {
    changes: ['streams'],
    summary: 'Deletes a stream, or archives it if anyone has completed it.',
    response: ActionAnswer,
  }),
  restore: endpoint('staff', 'POST', '/api/admin/twitch/streams/{id}/restore', {
    changes: ['streams', 'audit'],
    summary: 'Restores a deleted stream.',
    response: AdminStream,
    domainErrors: ['not_found', 'duplicate', 'wrong_state'],
  }),
  rewards: endpoint('staff', 'GET', '/api/admin/twitch/streams/{id}/rewards', {
    summary: 'Lists the rewards of a stream.',
    response: z.array(AdminStreamReward),
  }),
  setLive: endpoint('staff', 'POST', '/api/admin/twitch/streams/{id}/live', {
    changes: ['streams'],
    summary: 'Sets the live flag by hand.',
    body: SetLiveRequest,
    response: AdminStream,
  }),
}
