// The SQL of watching: the viewer's clock, sessions, completions and what a stream pays.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import type { Presence, RewardRow, StreamRewards, WatchedStream } from '../../rules/watch-time.ts'

/** Which broadcast of which stream a viewer watches. */
export interface WatchOrder {
  readonly streamId: number
  readonly streamSessionId: string
}

export interface Viewer {
  /** Up to here the viewer was credited for any stream, null before the first credit. */
  readonly creditedAt: Date | null
  readonly isEarningBlocked: boolean
  /** Null for nobody who can sign in with Twitch. */
  readonly twitchId: string | null
}

const lockViewerRow = statement(
  'lock_viewer',
  `SELECT last_watch_credit_at, is_earning_blocked, twitch_id FROM users
   WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE`,
)

/**
 * Locks the user's row, the first lock of a heartbeat: it sets all beats of one viewer in a line.
 */
export async function lockViewer(tx: Queryable, userId: number): Promise<Viewer | undefined> {
  const rows = await tx.run<{
    last_watch_credit_at: Date | null
    is_earning_blocked: boolean
    twitch_id: string | null
  }>(lockViewerRow, [userId])
  const row = rows[0]
  return (
    row && {
      creditedAt: row.last_watch_credit_at,
      isEarningBlocked: row.is_earning_blocked,
      twitchId: row.twitch_id,
    }
  )
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
  readonly session:
    | {
        readonly id: number
        readonly watchedSeconds: number
        readonly countedAt: Date
        readonly isCompleted: boolean
        readonly presence: Presence
      }
    | undefined
  /** True when the viewer has a session of any broadcast of this stream. */
  readonly hasWatchedStream: boolean
}

const readState = statement(
  'read_watch_state',
  `SELECT s.id, s.display_name, s.watch_time_required, s.is_active, s.is_live, s.current_stream_id,
     s.live_checked_at, s.is_live_by_hand, s.presence_mode, s.chatters_read_at,
     v.id AS session_id, v.total_watch_time, v.last_active_at, v.is_completed, v.started_at,
     v.chat_seen_at,
     EXISTS (SELECT 1 FROM viewer_sessions o WHERE o.user_id = $1 AND o.stream_id = s.id) AS watched
   FROM twitch_streams s
   LEFT JOIN viewer_sessions v
     ON v.user_id = $1 AND v.stream_id = s.id AND v.stream_session_id = $3
   WHERE s.id = $2 AND s.archived_at IS NULL`,
)

interface StateRow {
  readonly id: number
  readonly display_name: string
  readonly watch_time_required: number
  readonly is_active: boolean
  readonly is_live: boolean
  readonly current_stream_id: string | null
  readonly session_id: number | null
  readonly total_watch_time: number
  readonly last_active_at: Date
  readonly is_completed: boolean
  readonly live_checked_at: Date | null
  readonly is_live_by_hand: boolean
  readonly presence_mode: Presence['mode']
  readonly chatters_read_at: Date | null
  readonly started_at: Date
  readonly chat_seen_at: Date | null
  readonly watched: boolean
}

/** A stream and the viewer's session of one of its broadcasts. Undefined for an unknown stream. */
export async function readWatchState(
  tx: Queryable,
  userId: number,
  streamId: number,
  streamSessionId: string,
): Promise<WatchState | undefined> {
  const row = (await tx.run<StateRow>(readState, [userId, streamId, streamSessionId]))[0]
  if (row === undefined) return undefined
  return {
    stream: {
      id: row.id,
      displayName: row.display_name,
      watchSecondsRequired: row.watch_time_required,
      isActive: row.is_active,
      isLive: row.is_live,
      currentStreamId: row.current_stream_id,
      checkedAt: row.live_checked_at,
      isByHand: row.is_live_by_hand,
    },
    session:
      row.session_id === null
        ? undefined
        : {
            id: row.session_id,
            watchedSeconds: row.total_watch_time,
            countedAt: row.last_active_at,
            isCompleted: row.is_completed,
            presence: {
              mode: row.presence_mode,
              listReadAt: row.chatters_read_at,
              sessionStartedAt: row.started_at,
              seenAt: row.chat_seen_at,
            },
          },
    hasWatchedStream: row.watched,
  }
}

const insertSession = statement(
  'start_watch_session',
  `INSERT INTO viewer_sessions (user_id, stream_id, stream_session_id, started_at, last_active_at)
   SELECT $1, id, $3, $4, $4 FROM twitch_streams WHERE id = $2 FOR KEY SHARE
   ON CONFLICT DO NOTHING`,
)

/**
 * Starts the session of a viewer on a broadcast; one that is there already stays as it is. A stream
 * that was deleted meanwhile gets none.
 */
export async function addSession(
  tx: Queryable,
  userId: number,
  streamId: number,
  streamSessionId: string,
  now: Date,
): Promise<void> {
  await tx.run(insertSession, [userId, streamId, streamSessionId, now])
}

// One round trip for both rows: the session's own mark and the one all sessions of a viewer share.
const writeCredit = statement(
  'credit_watch_time',
  `WITH viewer AS (
     UPDATE users SET last_watch_credit_at = greatest(last_watch_credit_at, $3) WHERE id = $1
   )
   UPDATE viewer_sessions SET total_watch_time = $4, last_active_at = greatest(last_active_at, $3)
   WHERE id = $2`,
)

/** Stores a session's watch time in seconds and up to when the viewer's time is counted. */
export async function creditSession(
  tx: Queryable,
  userId: number,
  sessionId: number,
  watchedSeconds: number,
  countedUntil: Date,
): Promise<void> {
  await tx.run(writeCredit, [userId, sessionId, countedUntil, watchedSeconds])
}

const readRewardRows = statement(
  'read_stream_rewards',
  `SELECT s.reward_red_coin_amount, s.reward_pack_type_id, s.reward_pack_quantity,
     own.name AS own_pack_name, r.id AS row_id, r.pack_type_id, r.pack_quantity, r.red_coin_amount,
     t.name AS pack_name
   FROM twitch_streams s
   LEFT JOIN pack_types own ON own.id = s.reward_pack_type_id
   LEFT JOIN stream_rewards r ON r.stream_id = s.id
   LEFT JOIN pack_types t ON t.id = r.pack_type_id
   WHERE s.id = $1
   ORDER BY r.id
   FOR KEY SHARE OF s`,
)

interface RewardsRow {
  readonly reward_red_coin_amount: number
  readonly reward_pack_type_id: number | null
  readonly reward_pack_quantity: number
  readonly own_pack_name: string | null
  readonly row_id: number | null
  readonly pack_type_id: number | null
  readonly pack_quantity: number
  readonly red_coin_amount: number
  readonly pack_name: string | null
}

/**
 * What a stream offers now, from both places it is kept in. The stream cannot be deleted until the
 * transaction ends. Undefined when it was deleted before.
 */
export async function readStreamRewards(
  tx: Queryable,
  streamId: number,
): Promise<StreamRewards | undefined> {
  const rows = await tx.run<RewardsRow>(readRewardRows, [streamId])
  const first = rows[0]
  if (first === undefined) return undefined
  return {
    redCoinAmount: first.reward_red_coin_amount,
    packs: {
      packTypeId: first.reward_pack_type_id,
      packTypeName: first.own_pack_name,
      packQuantity: first.reward_pack_quantity,
    },
    rows: rows
      .filter((row) => row.row_id !== null)
      .map((row) => ({
        packTypeId: row.pack_type_id,
        packTypeName: row.pack_name,
        packQuantity: row.pack_quantity,
        redCoinAmount: row.red_coin_amount,
      })),
  }
}

const insertCompletion = statement(
  'complete_watch',
  `INSERT INTO watch_completions (user_id, stream_id, stream_session_id, watch_time_completed,
     required, rewards_given, completed_at)
   VALUES (:userId, :streamId, :streamSessionId, :watchedSeconds, :requiredSeconds, :given::jsonb,
     :now)
   ON CONFLICT DO NOTHING RETURNING id`,
)
const closeSession = statement(
  'close_watch_session',
  'UPDATE viewer_sessions SET is_completed = true, completed_at = $2 WHERE id = $1',
)

export interface Completion {
  readonly userId: number
  readonly sessionId: number
  readonly streamId: number
  readonly streamSessionId: string
  readonly watchedSeconds: number
  readonly requiredSeconds: number
  readonly given: readonly RewardRow[]
  readonly now: Date
}

/**
 * Records a completion and closes its session. Undefined when this broadcast was completed before.
 */
export async function addCompletion(
  tx: Queryable,
  completion: Completion,
): Promise<number | undefined> {
  const { now } = completion
  await tx.run(closeSession, [completion.sessionId, now])
  const rows = await tx.run<{ id: number }>(insertCompletion, {
    userId: completion.userId,
    streamId: completion.streamId,
    streamSessionId: completion.streamSessionId,
    watchedSeconds: completion.watchedSeconds,
    requiredSeconds: completion.requiredSeconds,
    given: JSON.stringify(completion.given),
    now,
  })
  return rows[0]?.id
}
