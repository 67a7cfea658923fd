// Asks Twitch which streams are live: what it answers is the truth, and no answer changes nothing.

import type { Deps } from '../../adapters/deps.ts'
import type { LiveBroadcast } from '../../adapters/twitch/twitch-api.ts'
import { afterPoll, type LiveState, type SeenBroadcast } from '../../rules/live-state.ts'
import {
  lockStreamLive,
  noteStreamsChecked,
  type StreamLive,
  streamsToPoll,
  writeStreamLive,
} from './live-tables.ts'

const streamsMax = 5_000
const idsPerCall = 100

/**
 * Polls every stream, or the one of a channel.
 * @throws TwitchFault when Twitch did not answer for all of them; what it did answer is kept
 */
export async function pollLive(deps: Deps, onlyChannelId?: string): Promise<void> {
  if (!deps.twitch.isConfigured) return
  const all = await streamsToPoll(deps.db, streamsMax)
  const streams =
    onlyChannelId === undefined
      ? all
      : all.filter(({ twitchChannelId }) => twitchChannelId === onlyChannelId)
  let failure: unknown
  for (const group of groupsOf(streams)) {
    const ids = group.map(({ twitchChannelId }) => twitchChannelId)
    try {
      await take(deps, group, await deps.twitch.liveBroadcasts(ids))
    } catch (error) {
      failure ??= error
    }
  }
  if (failure !== undefined) throw failure
}

/**
 * Groups of at most 100. One id that is no number makes Twitch refuse a whole call, so those go
 * apart from the others.
 */
function groupsOf(streams: readonly StreamLive[]): StreamLive[][] {
  const isNumber = ({ twitchChannelId }: StreamLive) => /^\d+$/.test(twitchChannelId)
  const groups: StreamLive[][] = []
  for (const part of [streams.filter(isNumber), streams.filter((one) => !isNumber(one))]) {
    for (let at = 0; at < part.length; at += idsPerCall) {
      groups.push(part.slice(at, at + idsPerCall))
    }
  }
  return groups
}

async function take(
  deps: Deps,
  group: readonly StreamLive[],
  broadcasts: readonly LiveBroadcast[],
): Promise<void> {
  const now = deps.clock.now()
  const seen = new Map(broadcasts.map((broadcast) => [broadcast.channelId, broadcast]))
  const unchanged: number[] = []
  let looksDifferent = false
  for (const { id, twitchChannelId, live } of group) {
    const broadcast = seen.get(twitchChannelId)
    if (isSameBut(live, afterPoll(live, broadcast, now))) unchanged.push(id)
    else if (await change(deps, id, broadcast, now)) looksDifferent = true
  }
  if (unchanged.length > 0) await noteStreamsChecked(deps.db, unchanged, now)
  if (looksDifferent) deps.events.publish({ type: 'streams_changed' })
}

/** Decides again under the lock. True when players see a difference. */
function change(
  deps: Deps,
  id: number,
  broadcast: SeenBroadcast | undefined,
  now: Date,
): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    const stream = await lockStreamLive(tx, id)
    if (stream === undefined) return false
    const after = afterPoll(stream.live, broadcast, now)
    await writeStreamLive(tx, id, after)
    const { isLive, currentStreamId } = stream.live
    return after.isLive !== isLive || after.currentStreamId !== currentStreamId
  })
}

/** True when nothing differs but the time of the check. */
function isSameBut(before: LiveState, after: LiveState): boolean {
  const keys = Object.keys(after) as (keyof LiveState)[]
  return keys.every((key) => key === 'checkedAt' || before[key] === after[key])
}
