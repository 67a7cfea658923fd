// Starts a watch session.

import type { Deps } from '../../adapters/deps.ts'
import { requireEarning, requireWatchable } from '../../rules/watch-time.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { isPaidBefore } from './earlier-rewards.ts'
import { addSession, lockViewer, readWatchState, type WatchOrder } from './session-tables.ts'

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
    const viewer = await lockViewer(tx, userId)
    if (viewer === undefined) throw new DomainError('unauthorized', 'Unauthorized')
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
