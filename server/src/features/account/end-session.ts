// Ends one session, whoever it belongs to.

import type { Deps } from '../../adapters/deps.ts'
import { deleteSession } from './tables.ts'
import { tokenHash } from './tokens.ts'

/** Ends the session of this token on every process; does nothing when there is none. */
export async function endSession(deps: Deps, token: string | undefined): Promise<void> {
  if (token === undefined || token === '') return
  const sessionHash = tokenHash(token)
  const userId = await deleteSession(deps.db, sessionHash)
  if (userId !== undefined) deps.events.publish({ type: 'sessions_ended', userId, sessionHash })
}
