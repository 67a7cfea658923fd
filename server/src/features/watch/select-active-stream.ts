// Has a viewer's clock count for another of the viewer's sessions.

import type { Deps } from '../../adapters/deps.ts'
import { requireWatchable } from '../../rules/watch-time.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { noteChoice, readOpenSessions, readOwnSession } from './clock-tables.ts'
import { lockViewer, readWatchState, type WatchOrder } from './session-tables.ts'

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
    const viewer = await lockViewer(tx, userId)
    if (viewer === undefined) throw new DomainError('unauthorized', 'Unauthorized')
    const order = await readOwnSession(tx, userId, sessionId)
    const state = order && (await readWatchState(tx, userId, order.streamId, order.streamSessionId))
    if (order === undefined || state?.session === undefined) {
      throw new DomainError('not_found', 'Watch session not found')
    }
    if (state.session.isCompleted) {
      throw new DomainError('wrong_state', 'You have already completed this stream')
    }
    requireWatchable(state.stream, order.streamSessionId)
    if (!(await isChosenLast(tx, userId, sessionId))) await noteChoice(tx, userId, sessionId, now)
    return order
  })
}

async function isChosenLast(
  tx: Parameters<typeof readOpenSessions>[0],
  userId: number,
  sessionId: number,
): Promise<boolean> {
  const open = await readOpenSessions(tx, userId)
  const times = open.map(({ chosenAt }) => chosenAt?.getTime() ?? 0)
  const own = open.find(({ id }) => id === sessionId)?.chosenAt?.getTime() ?? 0
  return own > 0 && own === Math.max(...times)
}
