// Whether a stream is live, as polls, announcements and staff say it one after the other.

/** A channel that comes back within this time goes on with its broadcast (integrations, A2). */
const comeBackMillis = 600_000
/** One missing answer may be a hiccup; a second one this much later is not. */
const missesApartMillis = 60_000
const hintMillis = 600_000
/** Longer without an answer of Twitch, and nobody knows whether the stream is live. */
const staleMillis = 300_000

/** Where a channel is watched: the address that staff have given, or Twitch's own. */
export function channelAddress(stream: {
  readonly channelUrl: string | null
  readonly channelName: string
}): string {
  return stream.channelUrl ?? `https://www.twitch.tv/${encodeURIComponent(stream.channelName)}`
}

export interface LiveState {
  readonly isLive: boolean
  /** Our id of the broadcast; it stays when a dropped connection gives Twitch's a new one. */
  readonly currentStreamId: string | null
  /** Our id of the broadcast before, while the stream is offline. */
  readonly lastStreamId: string | null
  /** Twitch's id of the broadcast that was seen last. */
  readonly platformStreamId: string | null
  readonly startedAt: Date | null
  readonly endedAt: Date | null
  /** When Twitch answered last. */
  readonly checkedAt: Date | null
  /** Since when answers lack a stream that counts as live. */
  readonly missedAt: Date | null
  /** When Twitch announced the end. */
  readonly hintedAt: Date | null
  /** Set by staff, and kept until Twitch says the same. */
  readonly isByHand: boolean
}

/** What a poll has seen of a channel that is live. */
export interface SeenBroadcast {
  readonly broadcastId: string
  readonly startedAt: Date
}

/** The state after Twitch has answered; a poll without an answer changes nothing. */
export function afterPoll(state: LiveState, seen: SeenBroadcast | undefined, now: Date): LiveState {
  const checked = { ...state, checkedAt: now }
  if (state.isByHand) {
    // What staff have set stands until Twitch says the same.
    if (seen === undefined) return state.isLive ? checked : afterMiss(checked, now)
    if (!state.isLive) return stillOffline(checked, seen)
    const platformStreamId = seen.broadcastId
    return { ...checked, isByHand: false, missedAt: null, hintedAt: null, platformStreamId }
  }
  if (seen === undefined) return state.isLive ? afterMiss(checked, now) : checked
  return state.isLive ? stillLive(state, checked, seen, now) : backLive(checked, seen)
}

function afterMiss(state: LiveState, now: Date): LiveState {
  const { missedAt, hintedAt } = state
  const isHinted = hintedAt !== null && now.getTime() - hintedAt.getTime() <= hintMillis
  if (isHinted) return offline(state, missedAt ?? hintedAt)
  // One that is still to come was noted by a clock that was ahead.
  if (missedAt === null || missedAt > now) return { ...state, missedAt: now }
  if (now.getTime() - missedAt.getTime() < missesApartMillis) return state
  return state.isLive ? offline(state, missedAt) : { ...state, isByHand: false, missedAt: null }
}

/** Another broadcast than the one that staff have ended is none that they could bring back. */
function stillOffline(state: LiveState, { broadcastId }: SeenBroadcast): LiveState {
  const platformStreamId = state.platformStreamId === broadcastId ? broadcastId : null
  return { ...state, missedAt: null, platformStreamId }
}

function offline(state: LiveState, endedAt: Date): LiveState {
  return {
    ...state,
    isLive: false,
    lastStreamId: state.currentStreamId,
    currentStreamId: null,
    endedAt,
    missedAt: null,
    hintedAt: null,
  }
}

function stillLive(before: LiveState, state: LiveState, seen: SeenBroadcast, now: Date): LiveState {
  const isSame = before.platformStreamId === null || before.platformStreamId === seen.broadcastId
  const lastLiveAt = before.missedAt ?? before.checkedAt ?? now
  // After a long time without answers another broadcast may have begun.
  const isOther = !isSame && !isComeBack(seen.startedAt, lastLiveAt)
  if (isOther) return begin(offline(state, lastLiveAt), seen)
  const isHintOver =
    state.hintedAt !== null && now.getTime() - state.hintedAt.getTime() > hintMillis
  return {
    ...state,
    missedAt: null,
    hintedAt: isSame && !isHintOver ? state.hintedAt : null,
    platformStreamId: seen.broadcastId,
  }
}

function backLive(state: LiveState, seen: SeenBroadcast): LiveState {
  const { lastStreamId, endedAt, platformStreamId } = state
  const isSame = platformStreamId === seen.broadcastId || isComeBack(seen.startedAt, endedAt)
  if (lastStreamId === null || !isSame) return begin(state, seen)
  return {
    ...state,
    isLive: true,
    currentStreamId: lastStreamId,
    platformStreamId: seen.broadcastId,
    endedAt: null,
  }
}

function begin(state: LiveState, seen: SeenBroadcast): LiveState {
  return {
    ...state,
    isLive: true,
    currentStreamId: seen.broadcastId,
    platformStreamId: seen.broadcastId,
    startedAt: seen.startedAt,
    endedAt: null,
  }
}

function isComeBack(at: Date, endedAt: Date | null): boolean {
  return endedAt !== null && at.getTime() - endedAt.getTime() <= comeBackMillis
}

/**
 * The state after Twitch has announced the end of a broadcast: a hint that the next poll confirms.
 * An announcement of another broadcast, or from before this one began, says nothing.
 */
export function afterOfflineNotice(
  state: LiveState,
  notice: { readonly broadcastId: string | undefined; readonly sentAt: Date },
): LiveState {
  const { broadcastId, sentAt } = notice
  const isOther =
    broadcastId !== undefined &&
    state.platformStreamId !== null &&
    broadcastId !== state.platformStreamId
  if (!state.isLive || state.isByHand || isOther) return state
  if (state.startedAt !== null && sentAt < state.startedAt) return state
  return { ...state, hintedAt: sentAt }
}

/**
 * The state as staff set it. A broadcast that is live already keeps its id unless told another; so
 * does one that comes back within ten minutes, or that Twitch has shown all the while.
 */
export function afterStaff(
  state: LiveState,
  order: { readonly isLive: boolean; readonly streamId: string | undefined },
  newId: string,
  now: Date,
): LiveState {
  const base = { ...state, isByHand: true, missedAt: null, hintedAt: null }
  if (!order.isLive) {
    if (state.isLive) return offline(base, now)
    // Where nobody has said otherwise, the last answer of Twitch lacked it already.
    return { ...base, missedAt: state.isByHand ? state.missedAt : state.checkedAt }
  }
  if (state.isLive && (order.streamId ?? state.currentStreamId) === state.currentStreamId) {
    return base
  }
  const { lastStreamId, endedAt } = state
  if (order.streamId === undefined && lastStreamId !== null) {
    const goesOn = isComeBack(now, endedAt) || isShownOffline(state, now)
    if (goesOn) return { ...base, isLive: true, currentStreamId: lastStreamId, endedAt: null }
  }
  const currentStreamId = order.streamId ?? newId
  return { ...base, isLive: true, currentStreamId, startedAt: now, endedAt: null }
}

/** True while Twitch goes on with the broadcast that staff have ended. */
function isShownOffline(state: LiveState, now: Date): boolean {
  const { isByHand, platformStreamId, missedAt, checkedAt } = state
  const isSeen = isByHand && platformStreamId !== null && missedAt === null
  return isSeen && !isLiveStale({ checkedAt, isByHand: false }, now)
}

/** The state of a stream that has another channel from now on. */
export function afterMove(state: LiveState, now: Date): LiveState {
  const ended = state.isLive ? offline(state, now) : { ...state, missedAt: null }
  return { ...ended, lastStreamId: null, platformStreamId: null, isByHand: false }
}

/** The state of a stream that was deleted, and so not looked at, until now. */
export function afterRestore(state: LiveState, deletedAt: Date, now: Date): LiveState {
  const isOver = state.isLive && !isComeBack(now, deletedAt)
  return isOver ? { ...offline(state, deletedAt), isByHand: false } : state
}

/** True when Twitch has been asked before and has not answered for too long. */
export function isLiveStale(state: Pick<LiveState, 'checkedAt' | 'isByHand'>, now: Date): boolean {
  const { checkedAt, isByHand } = state
  return !isByHand && checkedAt !== null && now.getTime() - checkedAt.getTime() > staleMillis
}
