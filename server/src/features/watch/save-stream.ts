// Creates streams and changes them.

import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import { sqlState } from '../../adapters/db/retry.ts'
import { refuseChangedMeanwhile } from '../../rules/changed-meanwhile.ts'
import { edgeAfterSaving, scheduledInstant } from '../../rules/post-schedule.ts'
import { DomainError } from '../../shared/domain-error.ts'
import {
  freeDeletedChannel,
  holdPackTypesOfStream,
  insertStream,
  lockStream,
  type RewardFields,
  replaceRewards,
  rewardsOf,
  type StreamFields,
  updateStream,
} from './stream-tables.ts'

type Maybe<T> = { readonly [Key in keyof T]?: T[Key] | undefined }

/** What staff have sent; undefined leaves what is stored, or takes the default of a new stream. */
export interface StreamOrder
  extends Maybe<Omit<StreamFields, 'scheduledStartTime' | 'scheduledEndTime' | 'scheduleEdgeAt'>> {
  /** With a zone, or as New York's wall time. */
  readonly scheduledStartTime?: string | null | undefined
  readonly scheduledEndTime?: string | null | undefined
  readonly rewards?: readonly RewardFields[] | undefined
}

/** What is given changes; `expected` is what the sender saw in it. */
type StreamChange = StreamOrder & { readonly expected?: StreamOrder | undefined }

const uniqueViolation = '23505'
const newStream = {
  channelUrl: null,
  watchSecondsRequired: 7_200,
  enableChatMessage: true,
  autoScheduleEnabled: false,
  scheduledStartTime: null,
  scheduledEndTime: null,
  scheduleEdgeAt: null,
  isActive: true,
  rewardPackTypeId: null,
  rewardPackQuantity: 1,
  rewardRedCoinAmount: 0,
  presenceMode: 'off',
} as const

type NewStreamOrder = StreamOrder &
  Pick<StreamFields, 'displayName' | 'channelName' | 'twitchChannelId' | 'completionMessage'>

/**
 * Creates a stream with its rewards and answers its id.
 * @throws DomainError duplicate when another stream has the channel, not_found for an unknown pack
 * type, invalid_input for a schedule that ends before it starts
 */
export async function createStream(
  tx: Queryable,
  { now }: Author,
  order: NewStreamOrder,
): Promise<Outcome<number>> {
  const { displayName, channelName, twitchChannelId, completionMessage } = order
  const required = { displayName, channelName, twitchChannelId, completionMessage }
  const fields = merged({ ...newStream, ...required }, order, now)
  await requirePackTypes(tx, order)
  await freeDeletedChannel(tx, fields.twitchChannelId)
  const id = await insertStream(tx, fields, now).catch(refuseDuplicate)
  if (id === undefined) throw new Error('A new stream has no id')
  await replaceRewards(tx, id, order.rewards ?? [])
  return changed('create', id, { after: { ...fields, rewards: order.rewards ?? [] } })
}

/**
 * Changes the given fields of a stream.
 * @throws DomainError not_found, changed_meanwhile, and as for a new stream
 */
export async function changeStream(
  tx: Queryable,
  { now }: Author,
  id: number,
  { expected, ...order }: StreamChange,
): Promise<Outcome<number>> {
  const stored = await requireStream(tx, id)
  const rewards = order.rewards === undefined ? undefined : await rewardsOf(tx, id)
  const fields = merged(stored, order, now)
  const change = { ...fields, rewards: order.rewards }
  refuseChangedMeanwhile({ ...stored, rewards }, change, expected && asStored(expected))
  await requirePackTypes(tx, order)
  if (fields.twitchChannelId !== stored.twitchChannelId) {
    await freeDeletedChannel(tx, fields.twitchChannelId)
  }
  await updateStream(tx, id, fields, now).catch(refuseDuplicate)
  if (order.rewards !== undefined) await replaceRewards(tx, id, order.rewards)
  return changed('update', id, {
    before: { ...stored, ...(rewards && { rewards }) },
    after: { ...fields, ...(order.rewards && { rewards: order.rewards }) },
  })
}

/** Activates or deactivates a stream; a wish of undefined flips. @throws DomainError not_found */
export async function toggleStream(
  tx: Queryable,
  { now }: Author,
  id: number,
  wished: boolean | undefined,
): Promise<Outcome<number>> {
  const stored = await requireStream(tx, id)
  const isActive = wished ?? !stored.isActive
  await updateStream(tx, id, { ...stored, isActive }, now)
  return changed('toggle', id, { before: { isActive: stored.isActive }, after: { isActive } })
}

async function requireStream(tx: Queryable, id: number): Promise<StreamFields> {
  const stored = await lockStream(tx, id, { isDeleted: false })
  if (stored === undefined) throw new DomainError('not_found', 'Stream not found')
  return stored
}

function merged(stored: StreamFields, order: StreamOrder, now: Date): StreamFields {
  const { rewards: _rewards, scheduledStartTime, scheduledEndTime, ...rest } = order
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  const fields: StreamFields = {
    ...stored,
    ...given,
    scheduledStartTime: timeOf('scheduledStartTime', scheduledStartTime, stored.scheduledStartTime),
    scheduledEndTime: timeOf('scheduledEndTime', scheduledEndTime, stored.scheduledEndTime),
  }
  requireOrder(fields.scheduledStartTime, fields.scheduledEndTime)
  requirePackType(order, fields)
  if (isSameSchedule(stored, fields)) return fields
  return { ...fields, scheduleEdgeAt: edgeAfterSaving(fields.scheduledEndTime, now) }
}

/** Times as the stored ones say them. */
function asStored(seen: StreamOrder): object {
  const { scheduledStartTime: start, scheduledEndTime: end } = seen
  return {
    ...seen,
    ...(start && { scheduledStartTime: scheduledInstant(start) }),
    ...(end && { scheduledEndTime: scheduledInstant(end) }),
  }
}

function timeOf(
  path: 'scheduledStartTime' | 'scheduledEndTime',
  text: string | null | undefined,
  stored: Date | null,
): Date | null {
  if (text === undefined) return stored
  if (text === null) return null
  const instant = scheduledInstant(text)
  if (instant !== undefined) return instant
  const label = path === 'scheduledStartTime' ? 'Scheduled start' : 'Scheduled end'
  throw wrongField(path, `${label} is not a valid time`)
}

function requireOrder(startsAt: Date | null, endsAt: Date | null): void {
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt) {
    throw wrongField('scheduledEndTime', 'Scheduled end must be after the scheduled start')
  }
}

/** As for a row of the list: packs need their type, whether it is sent along or stored. */
function requirePackType(order: StreamOrder, fields: StreamFields): void {
  if (order.rewardPackQuantity === undefined || fields.rewardPackTypeId !== null) return
  if (order.rewardPackQuantity === 1 && order.rewardPackTypeId === null) return
  throw wrongField('rewardPackTypeId', 'Select a pack type for this reward')
}

function wrongField(path: string, message: string): DomainError {
  return new DomainError('invalid_input', message, { errors: [{ path, message }] })
}

function isSameSchedule(before: StreamFields, after: StreamFields): boolean {
  return (
    before.autoScheduleEnabled === after.autoScheduleEnabled &&
    before.scheduledStartTime?.getTime() === after.scheduledStartTime?.getTime() &&
    before.scheduledEndTime?.getTime() === after.scheduledEndTime?.getTime()
  )
}

async function requirePackTypes(tx: Queryable, order: StreamOrder): Promise<void> {
  const named = [order.rewardPackTypeId, ...(order.rewards ?? []).map((row) => row.packTypeId)]
  if (!(await holdPackTypesOfStream(tx, named))) {
    throw new DomainError('not_found', 'Pack type not found')
  }
}

function refuseDuplicate(error: unknown): never {
  if (sqlState(error) === uniqueViolation) {
    throw new DomainError('duplicate', 'A stream with this Twitch channel ID already exists')
  }
  throw error
}

function changed(
  action: 'create' | 'update' | 'toggle',
  id: number,
  change: { readonly before?: unknown; readonly after: unknown },
): Outcome<number> {
  const target = { targetType: 'stream', targetId: String(id) }
  return {
    answer: id,
    audit: { action: `stream.${action}`, ...target, ...change },
    events: [{ type: 'streams_changed' }],
  }
}
