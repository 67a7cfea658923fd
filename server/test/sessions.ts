// Sessions in every state a cookie can be in, written into the database directly.

import { createHash } from 'node:crypto'
import type { TestDeps } from './deps.ts'

export type SessionState = 'live' | 'expired' | 'revoked'

const hourMillis = 3_600_000

/** The cookie of a session of the user that is good, over, or signed out. */
export async function sessionCookie(
  t: TestDeps,
  userId: number,
  state: SessionState = 'live',
): Promise<string> {
  const token = t.deps.random.bytes(32).toString('base64url')
  const now = t.clock.now().getTime()
  const endsAt = state === 'expired' ? now - 1_000 : now + hourMillis
  if (state !== 'revoked') {
    const begun = new Date(endsAt - hourMillis)
    await t.insert('sessions', {
      token_hash: createHash('sha256').update(token).digest('hex'),
      user_id: userId,
      kind: 'player',
      created_at: begun,
      last_seen_at: begun,
      expires_at: new Date(endsAt),
    })
  }
  return `sid=${token}`
}
