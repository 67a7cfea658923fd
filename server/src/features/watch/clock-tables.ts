// The SQL of which of a viewer's sessions counts.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import type { OpenSession, OpenSessionOfViewer } from '../../rules/watch-time.ts'
import { openSessionsSql } from './open-sessions-sql.ts'

const readOpen = statement('read_open_watch_sessions', openSessionsSql)

/** The viewer's sessions that are not completed, of broadcasts that are live; the oldest first. */
export async function readOpenSessions(tx: Queryable, userId: number): Promise<OpenSession[]> {
  return tx.run<OpenSessionOfViewer>(readOpen, [[userId]])
}

// Later than every choice before it, also when two come at once or the clock was set back.
const choose = statement(
  'choose_watch_session',
  `UPDATE viewer_sessions SET chosen_at = greatest($3, (
     SELECT max(chosen_at) + interval '1 millisecond' FROM viewer_sessions WHERE user_id = $1))
   WHERE id = $2`,
)

/** Notes that the viewer chose this session after all that were chosen before. */
export async function noteChoice(
  tx: Queryable,
  userId: number,
  sessionId: number,
  now: Date,
): Promise<void> {
  await tx.run(choose, [userId, sessionId, now])
}

const readOwn = statement(
  'read_own_watch_session',
  `SELECT v.stream_id, v.stream_session_id FROM viewer_sessions v
   JOIN twitch_streams s ON s.id = v.stream_id
   WHERE v.id = $2 AND v.user_id = $1 AND s.archived_at IS NULL`,
)

/** Which broadcast a session of this viewer is of; undefined for a session of nobody or others. */
export async function readOwnSession(
  tx: Queryable,
  userId: number,
  sessionId: number,
): Promise<{ readonly streamId: number; readonly streamSessionId: string } | undefined> {
  const [row] = await tx.run<{ stream_id: number; stream_session_id: string }>(readOwn, [
    userId,
    sessionId,
  ])
  return row && { streamId: row.stream_id, streamSessionId: row.stream_session_id }
}
