// Creates streams, changes and deletes them, and opens and closes them by their schedules.

import {
  type AdminStream,
  type CreateStreamRequest,
  adminStreamsContract as contract,
} from '@redpack/contract'
import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import { sqlState } from '../../adapters/db/retry.ts'
import type { Deps } from '../../adapters/deps.ts'
import { command, withSentence } from '../../adapters/http/command.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import {
  type Edit,
  type Given,
  refuseChangedMeanwhile,
  withGiven,
} from '../../rules/changed-meanwhile.ts'
import { afterMove, afterRestore, afterStaff, channelAddress } from '../../rules/live-state.ts'
import { dueEdge, edgeAfterSaving, scheduledInstant } from '../../rules/post-schedule.ts'
import { DomainError, existing, wrongField } from '../../shared/domain-error.ts'
import { isoTimes } from '../../shared/iso-times.ts'
import { targetOf } from '../../shared/staff-call.ts'
import {
  applyScheduleEdge,
  archiveStream,
  freeDeletedChannel,
  holdPackTypesOfStream,
  insertStream,
  lockScheduledStreams,
  lockStream,
  lockStreamLive,
  readLiveStream,
  readLiveStreams,
  removeOldStreams,
  replaceRewards,
  restoreArchived,
  rewardsOf,
  type StreamFields,
  type StreamRow,
  updateStream,
  writeStreamLive,
} from './stream-tables.ts'

export function registerStreams(context: FeatureContext): void {
  const { app, deps, guards } = context
  serve(app, guards, contract.list, async () => (await readLiveStreams(deps.db)).map(streamAnswer))
  command(context, contract.create, { order: ({ body }) => body, run: createStream })
  command(context, contract.update, {
    order: ({ params, body }) => [params.id, body] as const,
    run: (tx, by, [id, change]) => changeStream(tx, by, id, change),
  })
  command(context, contract.toggle, {
    order: ({ params, body }) => [params.id, body.isActive] as const,
    run: (tx, by, [id, wished]) => toggleStream(tx, by, id, wished),
  })
  command(context, contract.remove, { order: ({ params }) => params.id, run: deleteStream })
  command(context, contract.restore, { order: ({ params }) => params.id, run: restoreStream })
  serve(app, guards, contract.rewards, async ({ params }) => {
    return [...(await answerWith(deps.db, params.id)).rewards]
  })
  command(context, contract.setLive, {
    order: ({ params, body: { isLive, currentStreamId } }) =>
      [params.id, { isLive, streamId: currentStreamId ?? undefined }] as const,
    run: (tx, by, [id, live]) => setLive(tx, by, id, live, deps.random.uuidInOrder()),
  })
}

function streamAnswer({ watchSecondsRequired, scheduleEdgeAt, ...row }: StreamRow): AdminStream {
  return {
    ...isoTimes(row),
    twitchChannelName: row.channelName,
    channelUrl: channelAddress(row),
    watchTimeRequired: watchSecondsRequired / 60,
    watchTimeRequiredSeconds: watchSecondsRequired,
    packRewards: row.rewards,
  }
}

/** @throws DomainError not_found for an unknown or deleted stream */
async function answerWith(db: Queryable, id: number): Promise<AdminStream> {
  return streamAnswer(existing(await readLiveStream(db, id), 'Stream not found'))
}

/** What staff have sent; undefined leaves what is stored. */
type StreamOrder = Given<CreateStreamRequest>

const uniqueViolation = '23505'
/** What a new stream has of what is entered in other forms, or by nobody. */
const nothingSet = {
  scheduledStartTime: null,
  scheduledEndTime: null,
  scheduleEdgeAt: null,
  rewardPackTypeId: null,
  rewardPackQuantity: 1,
} as const

/**
 * Creates a stream with its rewards.
 * @throws DomainError duplicate when another stream has the channel, not_found for an unknown pack
 * type, invalid_input for a schedule that ends before it starts
 */
export async function createStream(
  tx: Queryable,
  { now }: Author,
  { rewards, ...order }: CreateStreamRequest,
) {
  const fields = merged({ ...order, ...nothingSet }, order, now)
  await requirePackTypes(tx, { ...order, rewards })
  await freeDeletedChannel(tx, fields.twitchChannelId, 0)
  const id = await insertStream(tx, { ...fields, now }).catch(refuseDuplicate)
  if (id === undefined) throw new Error('A new stream has no id')
  await replaceRewards(tx, id, rewards)
  return changed(tx, 'create', id, { after: { ...fields, rewards } })
}

/**
 * Changes the given fields of a stream.
 * @throws DomainError not_found, changed_meanwhile, and as for a new stream
 */
export async function changeStream(
  tx: Queryable,
  { now }: Author,
  id: number,
  { expected, ...order }: Edit<CreateStreamRequest>,
) {
  const stored = await requireStream(tx, id)
  const rewards = order.rewards === undefined ? undefined : await rewardsOf(tx, id)
  const fields = merged(stored, order, now)
  const change = { ...fields, rewards: order.rewards }
  // As it was answered, so that who was shown the channel's own address has seen what is there.
  const shown = { ...stored, channelUrl: channelAddress(stored), rewards }
  refuseChangedMeanwhile(shown, change, expected && asStored(expected))
  await requirePackTypes(tx, order)
  if (fields.twitchChannelId !== stored.twitchChannelId) {
    await freeDeletedChannel(tx, fields.twitchChannelId, 0)
    const live = await lockStreamLive(tx, id)
    if (live !== undefined) await writeStreamLive(tx, { ...afterMove(live, now), id })
  }
  await updateStream(tx, { ...fields, id, now }).catch(refuseDuplicate)
  if (order.rewards !== undefined) await replaceRewards(tx, id, order.rewards)
  return changed(tx, 'update', id, { before: { ...stored, rewards }, after: change })
}

/** Activates or deactivates a stream; a wish of undefined flips. @throws DomainError not_found */
async function toggleStream(
  tx: Queryable,
  { now }: Author,
  id: number,
  wished: boolean | undefined,
) {
  const stored = await requireStream(tx, id)
  const isActive = wished ?? !stored.isActive
  await updateStream(tx, { ...stored, isActive, id, now })
  return changed(tx, 'toggle', id, { before: { isActive: stored.isActive }, after: { isActive } })
}

async function requireStream(tx: Queryable, id: number): Promise<StreamFields> {
  return existing(await lockStream(tx, { id, isDeleted: false }), 'Stream not found')
}

function merged(stored: StreamFields, order: StreamOrder, now: Date): StreamFields {
  const { rewards: _rewards, ...given } = order
  const fields = withGiven<StreamFields>(stored, {
    ...given,
    scheduledStartTime: timeOf('scheduledStartTime', 'Scheduled start', order),
    scheduledEndTime: timeOf('scheduledEndTime', 'Scheduled end', order),
  })
  requireOrder(fields.scheduledStartTime, fields.scheduledEndTime)
  requirePackType(order, fields)
  if (isSameSchedule(stored, fields)) return fields
  // A start that was applied stays so when the rest of its window is changed.
  const { scheduledStartTime: start, scheduleEdgeAt: applied } = stored
  const isBegun =
    fields.autoScheduleEnabled &&
    applied !== null &&
    [start, fields.scheduledStartTime].every((at) => at?.getTime() === applied.getTime())
  const scheduleEdgeAt = edgeAfterSaving(fields.scheduledEndTime, now) ?? (isBegun ? applied : null)
  return { ...fields, scheduleEdgeAt }
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

/** @throws DomainError invalid_input for a day that is none */
function timeOf(
  path: 'scheduledStartTime' | 'scheduledEndTime',
  label: string,
  { [path]: text }: StreamOrder,
): Date | null | undefined {
  if (text === undefined || text === null) return text
  const instant = scheduledInstant(text)
  if (instant === undefined) throw wrongField(path, `${label} is not a valid time`)
  return instant
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
    const sentence = 'A stream with this Twitch channel ID already exists'
    throw wrongField('twitchChannelId', sentence, 'duplicate')
  }
  throw error
}

interface Change {
  readonly before?: unknown
  readonly after?: unknown
}

/** A stream as it is after a change, with the entry and the events of it. */
async function changed(
  tx: Queryable,
  action: 'create' | 'update' | 'toggle' | 'restore' | 'set_live',
  id: number,
  change: Change,
) {
  return { ...recorded(action, id, change), answer: await answerWith(tx, id) }
}

function recorded(action: string, id: number, change: Change): Outcome<undefined> {
  return {
    answer: undefined,
    audit: { action: `stream.${action}`, ...targetOf('stream', id), ...change },
    events: [{ type: 'streams_changed' }],
  }
}

const keptMillis = 7 * 86_400_000
const removedMax = 100

/**
 * Hides a stream from everyone at once. Its completions keep it for ever; without any it is removed
 * after seven days, in which it can be brought back.
 * @throws DomainError not_found
 */
async function deleteStream(tx: Queryable, { now }: Author, id: number) {
  const before = await requireStream(tx, id)
  await archiveStream(tx, id, now)
  return withSentence(recorded('delete', id, { before }), 'Stream deleted')
}

/**
 * Brings a deleted stream back as it was, but for a broadcast that ended with it long ago.
 * @throws DomainError not_found when it is gone for good or was never deleted, duplicate when
 * another stream has taken its channel, wrong_state when a pack type that it rewards is deleted
 */
async function restoreStream(tx: Queryable, { now }: Author, id: number) {
  const before = existing(await lockStream(tx, { id, isDeleted: true }), 'Deleted stream not found')
  const rewarded = (await rewardsOf(tx, id)).map(({ packTypeId }) => packTypeId)
  if (!(await holdPackTypesOfStream(tx, [before.rewardPackTypeId, ...rewarded]))) {
    throw new DomainError('wrong_state', 'Restore the pack type that this stream rewards first')
  }
  const deletedAt = await restoreArchived(tx, id, now).catch((error: unknown) => {
    if (sqlState(error) !== uniqueViolation) throw error
    throw new DomainError('duplicate', 'Another stream has taken this Twitch channel ID')
  })
  const live = await lockStreamLive(tx, id)
  if (live !== undefined) await writeStreamLive(tx, { ...afterRestore(live, deletedAt, now), id })
  return changed(tx, 'restore', id, {})
}

/** Removes streams deleted seven days ago or earlier that nobody has completed. */
export async function removeDeletedStreams({
  db,
  clock,
}: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const before = new Date(clock.now().getTime() - keptMillis)
  const removeBatch = () => db.transaction((tx) => removeOldStreams(tx, before, removedMax))
  while ((await removeBatch()) === removedMax);
}

/** What is set stands until the platform says the same. @throws DomainError not_found */
async function setLive(
  tx: Queryable,
  { now }: Author,
  id: number,
  order: { readonly isLive: boolean; readonly streamId: string | undefined },
  newStreamId: string,
) {
  const stream = existing(await lockStreamLive(tx, id), 'Stream not found')
  const live = afterStaff(stream, order, newStreamId, now)
  await writeStreamLive(tx, { ...live, id })
  return changed(tx, 'set_live', id, {
    before: { isLive: stream.isLive, currentStreamId: stream.currentStreamId },
    after: { isLive: live.isLive, currentStreamId: live.currentStreamId },
  })
}

const edgesMax = 500

/** Applies each edge once, so what staff toggle in between stays. */
export async function applySchedules(deps: Pick<Deps, 'db' | 'clock' | 'events'>): Promise<void> {
  const now = deps.clock.now()
  const changed = await deps.db.transaction(async (tx) => {
    let count = 0
    for (const { id, ...schedule } of await lockScheduledStreams(tx, now, edgesMax)) {
      const edge = dueEdge({ isEnabled: true, ...schedule }, now)
      if (edge === undefined) continue
      await applyScheduleEdge(tx, { ...edge, id, now })
      count += 1
    }
    return count
  })
  if (changed > 0) deps.events.publish({ type: 'streams_changed' })
}
