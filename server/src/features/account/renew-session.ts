// A new token for somebody whose role changes under their own hands.

import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import type { Role } from '../../rules/roles.ts'
import type { OpenedSession } from './open-session.ts'
import { cookieSeconds, expiryAfter, sessionKind } from './session-lifetime.ts'
import { insertSession } from './tables.ts'
import { newToken, tokenHash } from './tokens.ts'

export type RenewedSession = Pick<OpenedSession, 'token' | 'maxAgeSeconds'>

/**
 * Opens a session in place of one that was opened at `createdAt` and has just ended. It is not
 * younger than that one was, so that nobody stays signed in for ever by changing their role.
 */
export async function renewSession(
  { clock, random }: Pick<Deps, 'clock' | 'random'>,
  tx: Queryable,
  { userId, role, createdAt }: { userId: number; role: Role; createdAt: Date },
): Promise<RenewedSession> {
  const now = clock.now()
  const kind = sessionKind(role)
  const token = newToken(random)
  await insertSession(tx, {
    tokenHash: tokenHash(token),
    userId,
    kind,
    createdAt,
    expiresAt: expiryAfter(kind, createdAt, now),
  })
  return { token, maxAgeSeconds: cookieSeconds(kind, createdAt, now) }
}
