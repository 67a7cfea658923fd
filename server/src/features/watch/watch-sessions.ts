// Watch sessions: started, chosen to count, credited with the time that was watched, and paid when
// it is enough.

import { watchContract } from '@redpack/contract'
import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { isLiveStale } from '../../rules/live-state.ts'
import {
  clockHolder,
  creditWatchTime,
  paymentFor,
  requireEarning,
  requirePresence,
  requireWatchable,
  type WatchPayment,
} from '../../rules/watch-time.ts'
import { DomainError, existing, signedOut } from '../../shared/domain-error.ts'
import { paidBroadcastText, wasPaidBefore } from '../account/leaving-tables.ts'
import { type ChangeReason, changeBalance, changeHolding } from '../ledger/ledger-tables.ts'
import { announceCompletion } from '../twitch-bot/tables.ts'
import {
  addCompletion,
  addSession,
  creditSession,
  lockViewer,
  noteChoice,
  readOpenSessions,
  readOwnSession,
  readStreamRewards,
  readWatchState,
  type Viewer,
  type WatchOrder,
  type WatchState,
} from './session-tables.ts'

export function registerHeartbeat({ app, deps, guards }: FeatureContext): void {
  serve(app, guards, watchContract.heartbeat, ({ actor, body }) =>
    creditHeartbeat(deps, actor.userId, body),
  )
}

/**
 * Starts the caller's session of a broadcast; one that is there already simply goes on.
 * @throws DomainError not_found for an unknown or inactive stream, wrong_state while time would not
 * count, already_completed
 */
export async function startSession(
  deps: Deps,
  userId: number,
  { streamId, streamSessionId }: WatchOrder,
): Promise<void> {
  const now = deps.clock.now()
  await deps.db.transaction(async (tx) => {
    const viewer = await viewerOf(tx, userId, now)
    const state = await readWatchState(tx, userId, streamId, streamSessionId)
    if (state === undefined || !state.stream.isActive) {
      throw new DomainError('not_found', 'Stream not found')
    }
    const order = { streamId, streamSessionId }
    if (state.session?.isCompleted || (await isPaidBefore(deps, tx, viewer, order))) {
      throw new DomainError('already_completed', 'You have already completed this stream')
    }
    requireEarning(viewer.isEarningBlocked)
    requireWatchable(state.stream, streamSessionId)
    await addSession(tx, userId, streamId, streamSessionId, now)
  })
}

/**
 * From now on time counts for this session, until another is chosen. Choosing the one chosen last
 * changes nothing. It waits for the viewer's heartbeats, so a beat counts for one session.
 * @returns which broadcast the session is of
 * @throws DomainError not_found for a session that the caller does not have, wrong_state for one
 * that is completed or whose broadcast is not live
 */
export async function selectActiveStream(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  userId: number,
  sessionId: number,
): Promise<WatchOrder> {
  const now = clock.now()
  return db.transaction(async (tx) => {
    await viewerOf(tx, userId, now)
    const order = await readOwnSession(tx, userId, sessionId)
    const state = order && (await readWatchState(tx, userId, order.streamId, order.streamSessionId))
    if (order === undefined || state?.session === undefined) {
      throw new DomainError('not_found', 'Watch session not found')
    }
    if (state.session.isCompleted) throw alreadyCompleted()
    requireWatchable(state.stream, order.streamSessionId)
    const isLast = await isChosenLast(tx, userId, sessionId, now)
    if (!isLast) await noteChoice(tx, userId, sessionId, now)
    return order
  })
}

/** @throws DomainError unauthorized for who has left */
async function viewerOf(tx: Queryable, userId: number, now: Date): Promise<Viewer> {
  const viewer = await lockViewer(tx, userId, now)
  if (viewer === undefined) throw signedOut()
  return viewer
}

async function isChosenLast(tx: Queryable, userId: number, sessionId: number, now: Date) {
  const open = await readOpenSessions(tx, userId, now)
  const times = open.map(({ chosenAt }) => chosenAt?.getTime() ?? 0)
  const own = open.find(({ id }) => id === sessionId)?.chosenAt?.getTime() ?? 0
  return own > 0 && own === Math.max(...times)
}

/** A completion is paid once to one Twitch account, however often it leaves and comes back. */
async function isPaidBefore(
  { encryption }: Pick<Deps, 'encryption'>,
  tx: Queryable,
  { twitchId }: Viewer,
  order: WatchOrder,
): Promise<boolean> {
  if (twitchId === null) return false
  return wasPaidBefore(tx, encryption.fingerprints('watch', paidBroadcastText(twitchId, order)))
}

/**
 * Credits the caller's session with the time since the last beat and completes it once its stream's
 * watch time is reached: the completion and everything it pays, in the same transaction. All beats
 * of one viewer wait for each other at the user's row, so a session is completed and paid exactly
 * once. A beat of a session for which the viewer's clock does not count is heard and adds nothing.
 * @throws DomainError not_found without a session, wrong_state with the reason for which time does
 * not count
 */
export async function creditHeartbeat(deps: Deps, userId: number, order: WatchOrder) {
  const now = deps.clock.now()
  const { watchedSeconds, paid } = await deps.db.transaction((tx) =>
    beat(deps, tx, userId, order, now),
  )
  if (paid !== undefined) announce(deps, userId, paid)
  const success = true as const
  return { success, totalWatchTime: watchedSeconds, isCompleted: paid !== undefined }
}

async function beat(deps: Deps, tx: Queryable, userId: number, order: WatchOrder, now: Date) {
  const viewer = await viewerOf(tx, userId, now)
  const state = await readWatchState(tx, userId, order.streamId, order.streamSessionId)
  const { stream, session } = requireSession(state, order.streamSessionId)
  requireEarning(viewer.isEarningBlocked)
  requireKnownLive(stream, now)
  requirePresence(session.presence, now)
  if (clockHolder(await readOpenSessions(tx, userId, now), now) !== session.id) {
    return { watchedSeconds: session.watchedSeconds, paid: undefined }
  }
  const credit = creditWatchTime(now, session.countedAt, viewer)
  const watchedSeconds = session.watchedSeconds + credit.seconds
  await creditSession(tx, { userId, sessionId: session.id, ...credit })
  if (watchedSeconds < stream.watchSecondsRequired) return { watchedSeconds, paid: undefined }
  const payment = paymentFor(existing(await readStreamRewards(tx, stream.id), 'Stream not found'))
  if (await isPaidBefore(deps, tx, viewer, order)) throw alreadyCompleted()
  const requiredSeconds = stream.watchSecondsRequired
  const completed = { userId, ...order, watchedSeconds, requiredSeconds, now }
  const completionId = await addCompletion(tx, session.id, payment.given, completed)
  if (completionId === undefined) throw alreadyCompleted()
  await announceCompletion(tx, completionId, stream.id, now)
  await pay(tx, userId, payment, {
    description: `Watched ${stream.displayName}`,
    sourceType: 'watch_completion',
    sourceId: String(completionId),
    now,
  })
  return { watchedSeconds, paid: payment }
}

function requireSession(state: WatchState | undefined, streamSessionId: string) {
  const { stream, session, hasWatchedStream } = existing(state, 'Stream not found')
  if (session === undefined) {
    // Whoever watches this stream and names another broadcast learns why nothing counts.
    if (hasWatchedStream && stream.currentStreamId !== streamSessionId) {
      requireWatchable(stream, streamSessionId)
    }
    throw new DomainError('not_found', 'Watch session not found')
  }
  if (session.isCompleted) throw alreadyCompleted()
  requireWatchable(stream, streamSessionId)
  return { stream, session }
}

function alreadyCompleted(): DomainError {
  return new DomainError('wrong_state', 'You have already completed this stream')
}

/** While Twitch has not said for long whether the stream is live, nobody earns by guessing. */
function requireKnownLive(stream: WatchState['stream'], now: Date): void {
  if (!isLiveStale(stream, now)) return
  throw new DomainError(
    'wrong_state',
    'Twitch does not say whether this stream is live, so watch time does not count',
  )
}

async function pay(tx: Queryable, userId: number, payment: WatchPayment, reason: ChangeReason) {
  const rewarded = { userId, type: 'watch_reward' as const, ...reason }
  if (payment.redCoinTotal > 0) {
    const balance = await changeBalance(tx, { amount: payment.redCoinTotal, ...rewarded })
    // Refused whole, so that the reward is still there once the balance has room.
    if (balance === undefined) throw new DomainError('wrong_state', 'Your RedCoin balance is full')
  }
  for (const [packTypeId, delta] of payment.packs) {
    await changeHolding(tx, { packTypeId, delta, ...rewarded })
  }
}

function announce(deps: Deps, userId: number, paid: WatchPayment): void {
  deps.events.publish({ type: 'watch_completed', userId })
  if (paid.redCoinTotal > 0) {
    deps.events.publish({ type: 'user_changed', userId })
    deps.events.publish({ type: 'leaderboard_changed' })
  }
  if (paid.packs.size > 0) deps.events.publish({ type: 'holdings_changed', userId })
}
