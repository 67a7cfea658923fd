// The SQL of watching: the viewer's clock, sessions, completions and what a stream pays.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import { rowQuery, valueQuery, writeQuery } from '../../adapters/db/queries.ts'
import type {
  OpenSessionOfViewer,
  Presence,
  RewardRow,
  StreamRewards,
  WatchCredit,
  WatchedStream,
  WatchMarks,
} from '../../rules/watch-time.ts'
import { isShutFromEarning } from '../../shared/standing-sql.ts'
import { openSessionsSql } from './watch-sql.ts'

/** Which broadcast of which stream a viewer watches. */
export interface WatchOrder {
  readonly streamId: number
  readonly streamSessionId: string
}

export interface Viewer extends WatchMarks {
  readonly isEarningBlocked: boolean
  /** Null for nobody who can sign in with Twitch. */
  readonly twitchId: string | null
}

/**
 * Locks the user's row, the first lock of a heartbeat: it sets all beats of one viewer in a line.
 */
export const lockViewer = rowQuery<Viewer, [userId: number, now: Date]>(
  'lock_viewer',
  `SELECT last_watch_credit_at AS "creditedAt", watch_set_back_from AS "setBackFrom",
     ${isShutFromEarning('users', '$2')} AS "isEarningBlocked",
     twitch_id AS "twitchId"
   FROM users WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE`,
)

interface WatchedSession {
  readonly id: number
  readonly watchedSeconds: number
  readonly countedAt: Date
  readonly isCompleted: boolean
  readonly presence: Presence
}

export interface WatchState {
  readonly stream: WatchedStream & {
    readonly id: number
    readonly displayName: string
    readonly watchSecondsRequired: number
    readonly checkedAt: Date | null
    readonly isByHand: boolean
  }
  /** The viewer's session of the broadcast that was asked for. */
  readonly session: WatchedSession | undefined
  /** True when the viewer has a session of any broadcast of this stream. */
  readonly hasWatchedStream: boolean
}

type StateRow = WatchState['stream'] &
  Omit<WatchedSession, 'id' | 'presence'> &
  Presence & { readonly sessionId: number | null; readonly hasWatchedStream: boolean }

const readState = rowQuery<StateRow, [WatchOrder & { userId: number }]>(
  'read_watch_state',
  `SELECT s.id, s.display_name AS "displayName", s.watch_time_required AS "watchSecondsRequired",
     s.is_active AS "isActive", s.is_live AS "isLive", s.current_stream_id AS "currentStreamId",
     s.live_checked_at AS "checkedAt", s.is_live_by_hand AS "isByHand", s.presence_mode AS mode,
     s.chatters_read_at AS "listReadAt", v.id AS "sessionId",
     v.total_watch_time AS "watchedSeconds", v.last_active_at AS "countedAt",
     v.is_completed AS "isCompleted", v.started_at AS "sessionStartedAt",
     v.chat_seen_at AS "seenAt",
     EXISTS (SELECT 1 FROM viewer_sessions o WHERE o.user_id = :userId AND o.stream_id = s.id)
       AS "hasWatchedStream"
   FROM twitch_streams s
   LEFT JOIN viewer_sessions v
     ON v.user_id = :userId AND v.stream_id = s.id AND v.stream_session_id = :streamSessionId
   WHERE s.id = :streamId AND s.archived_at IS NULL`,
)

/** A stream and the viewer's session of one of its broadcasts. Undefined for an unknown stream. */
export async function readWatchState(
  tx: Queryable,
  userId: number,
  streamId: number,
  streamSessionId: string,
): Promise<WatchState | undefined> {
  const row = await readState(tx, { userId, streamId, streamSessionId })
  if (row === undefined) return undefined
  const { sessionId: id, watchedSeconds, countedAt, isCompleted, hasWatchedStream, ...rest } = row
  const { mode, listReadAt, sessionStartedAt, seenAt, ...stream } = rest
  const presence = { mode, listReadAt, sessionStartedAt, seenAt }
  const session = id === null ? undefined : { id, watchedSeconds, countedAt, isCompleted, presence }
  return { stream, session, hasWatchedStream }
}

/**
 * Starts the session of a viewer on a broadcast; one that is there already stays as it is. A stream
 * that was deleted meanwhile gets none.
 */
export const addSession = writeQuery<
  [userId: number, streamId: number, streamSessionId: string, now: Date]
>(
  'start_watch_session',
  `INSERT INTO viewer_sessions (user_id, stream_id, stream_session_id, started_at, last_active_at)
   SELECT $1, id, $3, $4, $4 FROM twitch_streams WHERE id = $2 FOR KEY SHARE
   ON CONFLICT DO NOTHING`,
)

// One round trip for both rows: the session's own mark and the one all sessions of a viewer share.
// Where the clock was set back, it was ahead when the session started as well.
/** Adds seconds to a session, and stores up to when the time of its viewer is counted. */
export const creditSession = writeQuery<
  [credit: WatchCredit & { readonly userId: number; readonly sessionId: number }]
>(
  'credit_watch_time',
  `WITH viewer AS (
     UPDATE users SET last_watch_credit_at = :countedUntil, watch_set_back_from = :setBackFrom
     WHERE id = :userId
   )
   UPDATE viewer_sessions SET total_watch_time = total_watch_time + :seconds,
     started_at = started_at + least(:countedUntil - last_active_at, interval '0'),
     last_active_at = :countedUntil
   WHERE id = :sessionId`,
)

/**
 * What a stream offers now, from both places it is kept in. The stream cannot be deleted until the
 * transaction ends. Undefined when it was deleted before.
 */
export const readStreamRewards = rowQuery<StreamRewards, [streamId: number]>(
  'read_stream_rewards',
  `SELECT s.reward_red_coin_amount AS "redCoinAmount",
     jsonb_build_object('packTypeId', s.reward_pack_type_id, 'packTypeName', own.name,
       'packQuantity', s.reward_pack_quantity) AS packs,
     (SELECT coalesce(jsonb_agg(jsonb_build_object('packTypeId', r.pack_type_id,
        'packTypeName', t.name, 'packQuantity', r.pack_quantity,
        'redCoinAmount', r.red_coin_amount) ORDER BY r.id), '[]')
      FROM stream_rewards r LEFT JOIN pack_types t ON t.id = r.pack_type_id
      WHERE r.stream_id = s.id) AS rows
   FROM twitch_streams s LEFT JOIN pack_types own ON own.id = s.reward_pack_type_id
   WHERE s.id = $1 FOR KEY SHARE OF s`,
)

const closeSession = statement(
  'close_watch_session',
  'UPDATE viewer_sessions SET is_completed = true, completed_at = $2 WHERE id = $1',
)

const insertCompletion = valueQuery<
  { id: number },
  [
    completion: WatchOrder & {
      userId: number
      watchedSeconds: number
      requiredSeconds: number
      given: string
      now: Date
    },
  ]
>(
  'complete_watch',
  `INSERT INTO watch_completions (user_id, stream_id, stream_session_id, watch_time_completed,
     required, rewards_given, completed_at)
   VALUES (:userId, :streamId, :streamSessionId, :watchedSeconds, :requiredSeconds, :given::jsonb,
     :now)
   ON CONFLICT DO NOTHING RETURNING id`,
)

/**
 * Records a completion and closes its session. Undefined when this broadcast was completed before.
 */
export async function addCompletion(
  tx: Queryable,
  sessionId: number,
  given: readonly RewardRow[],
  completion: Omit<Parameters<typeof insertCompletion>[1], 'given'>,
): Promise<number | undefined> {
  await tx.run(closeSession, [sessionId, completion.now])
  return insertCompletion(tx, { ...completion, given: JSON.stringify(given) })
}

const readOpen = statement('read_open_watch_sessions', openSessionsSql)

/** The viewer's sessions that are not completed, of broadcasts that are live; the oldest first. */
export async function readOpenSessions(tx: Queryable, userId: number, now: Date) {
  return tx.run<OpenSessionOfViewer>(readOpen, [[userId], now])
}

// Later than every choice before it, also when two come at once or the clock was set back.
/** Notes that the viewer chose this session after all that were chosen before. */
export const noteChoice = writeQuery<[userId: number, sessionId: number, now: Date]>(
  'choose_watch_session',
  `UPDATE viewer_sessions SET chosen_at = greatest($3, (
     SELECT max(chosen_at) + interval '1 millisecond' FROM viewer_sessions WHERE user_id = $1))
   WHERE id = $2`,
)

/** Which broadcast a session of this viewer is of; undefined for a session of nobody or others. */
export const readOwnSession = rowQuery<WatchOrder, [userId: number, sessionId: number]>(
  'read_own_watch_session',
  `SELECT v.stream_id AS "streamId", v.stream_session_id AS "streamSessionId"
   FROM viewer_sessions v JOIN twitch_streams s ON s.id = v.stream_id
   WHERE v.id = $2 AND v.user_id = $1 AND s.archived_at IS NULL`,
)
