// The SQL of what Twitch has handed out for people who signed in, and of its end.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import type { SealedText } from '../../rules/contact-info.ts'

export interface StoredSignIn {
  readonly userId: number
  readonly twitchId: string | null
  readonly tokens: SealedText
}

const keep = statement(
  'keep_twitch_sign_in',
  `INSERT INTO twitch_sign_ins (user_id, tokens, checked_at) VALUES ($1, $2::jsonb, $3)
   ON CONFLICT (user_id) DO UPDATE SET tokens = EXCLUDED.tokens, checked_at = EXCLUDED.checked_at`,
)
const removeUnused = statement(
  'remove_unused_twitch_sign_ins',
  `DELETE FROM twitch_sign_ins t
   WHERE NOT EXISTS (SELECT 1 FROM sessions s WHERE s.user_id = t.user_id)`,
)
const readDue = statement(
  'read_twitch_sign_ins_to_check',
  `SELECT t.user_id AS "userId", u.twitch_id AS "twitchId", t.tokens
   FROM twitch_sign_ins t JOIN users u ON u.id = t.user_id
   WHERE t.checked_at <= $1 ORDER BY t.checked_at, t.user_id LIMIT $2`,
)
// Each names the tokens it has seen: who has signed in anew meanwhile is left alone.
const noteChecked = statement(
  'note_twitch_sign_in_checked',
  'UPDATE twitch_sign_ins SET checked_at = $3 WHERE user_id = $1 AND tokens = $2::jsonb',
)
const replaceTokens = statement(
  'replace_twitch_sign_in_tokens',
  `UPDATE twitch_sign_ins SET tokens = $4::jsonb, checked_at = $3
   WHERE user_id = $1 AND tokens = $2::jsonb`,
)
const remove = statement(
  'remove_twitch_sign_in',
  'DELETE FROM twitch_sign_ins WHERE user_id = $1 AND tokens = $2::jsonb RETURNING user_id',
)
const endSessions = statement(
  'end_twitch_sessions',
  `DELETE FROM sessions WHERE user_id = $1 AND kind <> 'local'`,
)
const endOfTwitchUser = statement(
  'end_sign_in_of_twitch_user',
  `WITH gone AS (
     DELETE FROM twitch_sign_ins WHERE user_id IN (SELECT id FROM users WHERE twitch_id = $1)
   )
   SELECT id FROM users WHERE twitch_id = $1`,
)

/** Keeps the tokens of the newest sign-in of a user; all their sessions stand on it. */
export async function keepSignIn(
  tx: Queryable,
  userId: number,
  tokens: SealedText,
  now: Date,
): Promise<void> {
  await tx.run(keep, [userId, JSON.stringify(tokens), now])
}

/** Forgets the tokens of everybody who has no session any more. */
export async function removeUnusedSignIns(db: Queryable): Promise<void> {
  await db.run(removeUnused, [])
}

/** Sign-ins that were last checked at `before` or earlier, those that wait longest first. */
export async function signInsToCheck(
  db: Queryable,
  before: Date,
  limit: number,
): Promise<StoredSignIn[]> {
  return db.run<StoredSignIn>(readDue, [before, limit])
}

export async function noteSignInChecked(
  db: Queryable,
  { userId, tokens }: StoredSignIn,
  now: Date,
): Promise<void> {
  await db.run(noteChecked, [userId, JSON.stringify(tokens), now])
}

export async function replaceSignInTokens(
  db: Queryable,
  { userId, tokens }: StoredSignIn,
  fresh: SealedText,
  now: Date,
): Promise<void> {
  await db.run(replaceTokens, [userId, JSON.stringify(tokens), now, JSON.stringify(fresh)])
}

/** Ends a sign-in and the user's sessions; false when they have signed in anew meanwhile. */
export async function endSignIn(tx: Queryable, { userId, tokens }: StoredSignIn): Promise<boolean> {
  const removed = await tx.run(remove, [userId, JSON.stringify(tokens)])
  if (removed.length === 0) return false
  await tx.run(endSessions, [userId])
  return true
}

/** Ends the sign-in and the sessions of somebody by Twitch's number; answers our user's. */
export async function endSignInOfTwitchUser(
  tx: Queryable,
  twitchId: string,
): Promise<number | undefined> {
  const [user] = await tx.run<{ id: number }>(endOfTwitchUser, [twitchId])
  if (user !== undefined) await tx.run(endSessions, [user.id])
  return user?.id
}
