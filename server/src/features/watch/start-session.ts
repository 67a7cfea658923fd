// Starts a watch session.

import type { World } from '../../adapters/world.ts'
import { Refusal } from '../../rules/refusal.ts'
import { requireEarning, requireWatchable } from '../../rules/watch-time.ts'
import { isPaidBefore } from './paid-before.ts'
import { addSession, lockViewer, readWatchState, type WatchOrder } from './tables.ts'

/**
 * Starts the caller's session of a broadcast; one that is there already simply goes on.
 * @throws Refusal not_found for an unknown or inactive stream, wrong_state while time would not
 * count, already_completed
 */
export async function startSession(
  world: World,
  userId: number,
  { streamId, streamSessionId }: WatchOrder,
): Promise<void> {
  const now = world.clock.now()
  await world.db.transaction(async (tx) => {
    const viewer = await lockViewer(tx, userId)
    if (viewer === undefined) throw new Refusal('unauthorized', 'Unauthorized')
    const state = await readWatchState(tx, userId, streamId, streamSessionId)
    if (state === undefined || !state.stream.isActive) {
      throw new Refusal('not_found', 'Stream not found')
    }
    const order = { streamId, streamSessionId }
    if (state.session?.isCompleted || (await isPaidBefore(world, tx, viewer, order))) {
      throw new Refusal('already_completed', 'You have already completed this stream')
    }
    requireEarning(viewer.isEarningBlocked)
    requireWatchable(state.stream, streamSessionId)
    await addSession(tx, userId, streamId, streamSessionId, now)
  })
}
