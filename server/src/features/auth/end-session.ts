// Ends one session, whoever it belongs to.

import type { World } from '../../adapters/world.ts'
import { deleteSession } from './tables.ts'
import { tokenHash } from './tokens.ts'

/** Ends the session of this token on every process; does nothing when there is none. */
export async function endSession(world: World, token: string | undefined): Promise<void> {
  if (token === undefined || token === '') return
  const sessionHash = tokenHash(token)
  const userId = await deleteSession(world.db, sessionHash)
  if (userId !== undefined) world.events.publish({ type: 'sessions_ended', userId, sessionHash })
}
