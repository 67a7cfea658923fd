// What viewers see of streams, their sessions and their completions.

import type { Stream, StreamReward, WatchCompletion, WatchSession } from '@redpack/contract'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { channelAddress } from '../../rules/live-state.ts'
import {
  effectiveRewards,
  isWatchable,
  type NotCounting,
  type OpenSessionOfViewer,
  type RewardRow,
  standings,
  watchListMax,
} from '../../rules/watch-time.ts'
import { existing, invariant } from '../../shared/domain-error.ts'
import { grouped } from '../../shared/grouped.ts'
import { type Dated, isoTimes } from '../../shared/iso-times.ts'
import { anyList } from '../../shared/list-parameter-sql.ts'
import { batchedReads } from '../../shared/turns.ts'
import { openSessionsSql } from './watch-sql.ts'

const streamsMax = 500

// One JSON object per stream, so that sessions and completions can carry the same one.
const streamObject = `jsonb_build_object(
    'id', s.id, 'displayName', s.display_name, 'channelName', s.channel_name,
    'channelUrl', s.channel_url, 'isActive', s.is_active, 'isLive', s.is_live,
    'channelImageUrl',
      (SELECT address FROM channel_pictures WHERE channel_id = s.twitch_channel_id),
    'currentStreamId', s.current_stream_id, 'watchTimeRequired', s.watch_time_required,
    'rewardRedCoinAmount', s.reward_red_coin_amount,
    'ownPacks', jsonb_build_object('packTypeId', s.reward_pack_type_id,
      'packTypeName', (SELECT name FROM pack_types WHERE id = s.reward_pack_type_id),
      'packQuantity', s.reward_pack_quantity),
    'rows', (
      SELECT coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'packTypeId', r.pack_type_id,
        'packTypeName', t.name, 'packQuantity', r.pack_quantity,
        'redCoinAmount', r.red_coin_amount) ORDER BY r.id), '[]')
      FROM stream_rewards r LEFT JOIN pack_types t ON t.id = r.pack_type_id
      WHERE r.stream_id = s.id)
  ) AS stream`

type RewardObject = RewardRow & { readonly id?: number }

interface StreamObject extends Omit<Stream, 'channelUrl' | 'rewards'> {
  readonly channelUrl: string | null
  readonly isActive: boolean
  readonly ownPacks: Omit<RewardObject, 'redCoinAmount'>
  readonly rows: readonly RewardObject[]
}

const readStreams = statement(
  'read_active_streams',
  `SELECT ${streamObject} FROM twitch_streams s
   WHERE s.is_active AND s.archived_at IS NULL
   ORDER BY s.is_live DESC, s.id LIMIT ${streamsMax}`,
)

/** The active streams, live ones first. */
export async function activeStreams(db: Queryable): Promise<Stream[]> {
  const rows = await db.run<{ stream: StreamObject }>(readStreams, [])
  return rows.map(({ stream }) => streamFrom(stream))
}

function streamFrom(row: StreamObject): Stream {
  const { rows, ownPacks, rewardRedCoinAmount } = row
  const rewards = { redCoinAmount: rewardRedCoinAmount, packs: ownPacks, rows }
  return {
    id: row.id,
    displayName: row.displayName,
    channelName: row.channelName,
    channelUrl: channelAddress(row),
    channelImageUrl: row.channelImageUrl,
    isLive: row.isLive,
    currentStreamId: row.currentStreamId,
    watchTimeRequired: row.watchTimeRequired,
    rewardRedCoinAmount,
    rewards: effectiveRewards(rewards).map(rewardFrom),
  }
}

/** The stream's own packs have no row of their own and are shown with the id 0. */
function rewardFrom(reward: RewardObject): StreamReward {
  const { id = 0, packTypeId, packTypeName, packQuantity, redCoinAmount } = reward
  const packType = packTypeId === null ? null : { id: packTypeId, name: packTypeName ?? '' }
  return { id, packTypeId, packQuantity, redCoinAmount, packType }
}

type SessionRow = Dated<
  Omit<WatchSession, keyof Standing | 'isActive' | 'stream'>,
  'lastActiveAt'
> & {
  readonly userId: number
}
const sessionColumns = `v.user_id AS "userId", v.id, v.stream_id AS "streamId",
  v.stream_session_id AS "streamSessionId", v.total_watch_time AS "totalWatchTime",
  v.last_active_at AS "lastActiveAt", v.is_completed AS "isCompleted"`

// Of many viewers at once: everybody who watches asks every few seconds.
const readSessions = statement(
  'read_watch_sessions',
  `SELECT v.* FROM unnest(${anyList('$1', 'int')}) AS w (user_id) CROSS JOIN LATERAL (
     SELECT ${sessionColumns} FROM viewer_sessions v JOIN twitch_streams s ON s.id = v.stream_id
     WHERE v.user_id = w.user_id AND (s.archived_at IS NULL OR v.is_completed)
     ORDER BY v.id DESC LIMIT ${watchListMax}) v
   ORDER BY v."userId", v.id DESC`,
)
// Few streams stand in very many sessions, and each is made once.
const readStreamsById = statement(
  'read_streams_by_id',
  `SELECT s.id, ${streamObject} FROM twitch_streams s WHERE s.id = ANY(${anyList('$1', 'int')})`,
)

/** The streams with these ids, as sessions and completions show them. */
async function streamsById(db: Queryable, ids: readonly number[]) {
  const rows = await db.run<{ id: number; stream: StreamObject }>(readStreamsById, [
    [...new Set(ids)],
  ])
  const streams = new Map(rows.map(({ id, stream }) => [id, stream]))
  return (id: number) => {
    const stream = streams.get(id)
    invariant(stream !== undefined, 'a stream that was watched is kept')
    return stream
  }
}

/**
 * The sessions of each of these viewers, newest first, and for which of them time counts at this
 * time; in the order of the viewers.
 */
export async function watchSessionsOf(db: Queryable, userIds: readonly number[], now: Date) {
  const [rows, standing] = await Promise.all([
    db.run<SessionRow>(readSessions, [[...new Set(userIds)]]),
    standingsOf(db, userIds, now),
  ])
  const stream = await streamsById(
    db,
    rows.map(({ streamId }) => streamId),
  )
  const byUser = grouped(rows, ({ userId }) => userId)
  return userIds.map((userId) =>
    (byUser.get(userId) ?? []).map((row) => sessionFrom(row, stream(row.streamId), standing(row))),
  )
}

type Standing = Pick<WatchSession, 'isCounting' | 'notCountingBecause'>

const viewOpen = statement('view_open_watch_sessions', openSessionsSql)
const nothingCounts = { isCounting: false, notCountingBecause: null } as const

async function standingsOf(db: Queryable, userIds: readonly number[], now: Date) {
  const rows = await db.run<OpenSessionOfViewer>(viewOpen, [[...new Set(userIds)], now])
  const openOf = grouped(rows, ({ userId }) => userId)
  const reasons = new Map<number, NotCounting | null>()
  const blocked = new Set<number>()
  for (const open of openOf.values()) {
    for (const [id, reason] of standings(open, open[0]?.creditedAt ?? null, now)) {
      reasons.set(id, reason)
    }
    for (const { id, isEarningBlocked } of open) if (isEarningBlocked) blocked.add(id)
  }
  return ({ id, isCompleted }: SessionRow): Standing => {
    if (isCompleted || blocked.has(id)) return nothingCounts
    const reason = reasons.get(id)
    if (reason === null) return { isCounting: true, notCountingBecause: null }
    return { isCounting: false, notCountingBecause: reason ?? 'offline' }
  }
}

const readSession = statement(
  'read_watch_session',
  `SELECT ${sessionColumns} FROM viewer_sessions v
   WHERE v.user_id = $1 AND v.stream_id = $2 AND v.stream_session_id = $3`,
)

/**
 * The caller's session of one broadcast.
 * @throws DomainError not_found when there is none
 */
export async function watchSessionOf(
  db: Queryable,
  userId: number,
  order: { readonly streamId: number; readonly streamSessionId: string },
  now: Date,
): Promise<WatchSession> {
  const values = [userId, order.streamId, order.streamSessionId]
  const row = existing(
    (await db.run<SessionRow>(readSession, values))[0],
    'Watch session not found',
  )
  const stream = await streamsById(db, [row.streamId])
  return sessionFrom(row, stream(row.streamId), (await standingsOf(db, [userId], now))(row))
}

function sessionFrom(
  { userId, ...row }: SessionRow,
  stream: StreamObject,
  standing: Standing,
): WatchSession {
  const isActive = !row.isCompleted && isWatchable(stream, row.streamSessionId)
  return { ...isoTimes(row), isActive, ...standing, stream: streamFrom(stream) }
}

const readCompletions = statement(
  'read_watch_completions',
  `SELECT c.* FROM unnest(${anyList('$1', 'int')}) AS w (user_id) CROSS JOIN LATERAL (
     SELECT c.user_id AS "userId", c.id, c.stream_id AS "streamId",
       c.stream_session_id AS "streamSessionId", c.completed_at AS "completedAt",
       c.watch_time_completed AS "watchTimeCompleted", c.rewards_given AS "rewardsGiven"
     FROM watch_completions c WHERE c.user_id = w.user_id
     ORDER BY c.id DESC LIMIT ${watchListMax}) c
   ORDER BY c."userId", c.id DESC`,
)

type CompletionRow = Omit<Dated<WatchCompletion, 'completedAt'>, 'stream'> & {
  readonly userId: number
}

/** The completions of each of these viewers, newest first; in the order of the viewers. */
export async function watchCompletionsOf(db: Queryable, userIds: readonly number[]) {
  const rows = await db.run<CompletionRow>(readCompletions, [[...new Set(userIds)]])
  const stream = await streamsById(
    db,
    rows.map(({ streamId }) => streamId),
  )
  const byUser = grouped(rows, ({ userId }) => userId)
  return userIds.map((userId) =>
    (byUser.get(userId) ?? []).map(({ userId: _userId, ...row }) => ({
      ...isoTimes(row),
      stream: streamFrom(stream(row.streamId)),
    })),
  )
}

/** What viewers ask every few seconds, by user id; `now` tells the time of each read. */
export function gatherWatchReads(db: Queryable, now: () => Date) {
  return {
    sessions: batchedReads((userIds: readonly number[]) => watchSessionsOf(db, userIds, now())),
    completions: batchedReads((userIds: readonly number[]) => watchCompletionsOf(db, userIds)),
  }
}
