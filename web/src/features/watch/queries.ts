// Everything Watch Rewards asks of the server: streams, sessions, completions, starts and
// heartbeats.

import {
  type HeartbeatResponse,
  packsContract,
  type Stream,
  type WatchCompletion,
  type WatchRequest,
  type WatchSession,
  watchContract,
} from '@redpack/contract'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { announceBalance } from '../../lib/balance.ts'
import { sessionQuery } from '../session/queries.ts'
import { sessionsPollMs } from './progress.ts'

/** How often streams and completions are asked for, in milliseconds. */
const listsPollMs = 30_000
/** How often a running session reports, in milliseconds. */
export const heartbeatMs = 60_000

const streamsKey = [watchContract.streams.path] as const
const sessionsKey = [watchContract.sessions.path] as const
const completionsKey = [watchContract.completions.path] as const

// The polls go on in hidden tabs: whoever watches on Twitch has this page behind another.
const polled = (refetchInterval: number) => ({
  refetchInterval,
  refetchIntervalInBackground: true,
})

const none: never[] = []

/** An answer without a text is null, and holds nothing. */
function listOf<T>(answer: unknown): T[] {
  return (answer as T[] | null) ?? none
}

/** The active streams, live ones first. */
export function useStreams() {
  return useQuery({ queryKey: streamsKey, select: listOf<Stream>, ...polled(listsPollMs) })
}

/** The caller's sessions, newest first. */
export function useWatchSessions() {
  return useQuery({
    queryKey: sessionsKey,
    select: listOf<WatchSession>,
    ...polled(sessionsPollMs),
  })
}

/** The caller's completions, newest first. */
export function useWatchCompletions() {
  return useQuery({
    queryKey: completionsKey,
    select: listOf<WatchCompletion>,
    ...polled(listsPollMs),
  })
}

function refetch(queryClient: QueryClient, ...keys: readonly (readonly string[])[]): void {
  for (const queryKey of keys) {
    queryClient.invalidateQueries({ queryKey }).catch(() => undefined)
  }
}

/** Starts the session of a broadcast, or takes up the one that is there. */
export async function startSession(queryClient: QueryClient, order: WatchRequest): Promise<void> {
  const session = await call(watchContract.startSession, { body: order })
  queryClient.setQueryData<WatchSession[]>(sessionsKey, (sessions = []) => [
    session,
    ...sessions.filter(({ id }) => id !== session.id),
  ])
}

/** Reports that a broadcast is being watched and keeps what the server has counted. */
export async function sendHeartbeat(queryClient: QueryClient, order: WatchRequest): Promise<void> {
  const answer = await call(watchContract.heartbeat, { body: order })
  queryClient.setQueryData<WatchSession[]>(sessionsKey, (sessions) =>
    sessions?.map((session) => creditedSession(session, order, answer)),
  )
  if (answer.isCompleted) refetch(queryClient, sessionsKey, completionsKey)
}

function creditedSession(
  session: WatchSession,
  order: WatchRequest,
  { totalWatchTime }: HeartbeatResponse,
): WatchSession {
  const isReported =
    session.streamId === order.streamId && session.streamSessionId === order.streamSessionId
  return isReported ? { ...session, totalWatchTime } : session
}

/** Asks again for what says whether a broadcast can be watched. */
export function refetchWatching(queryClient: QueryClient): void {
  refetch(queryClient, streamsKey, sessionsKey, completionsKey)
}

/** After a completion: sessions and packs are asked for again, and the new balance is broadcast. */
export async function refreshAfterCompletion(queryClient: QueryClient): Promise<void> {
  refetch(queryClient, sessionsKey, [packsContract.holdings.path], [packsContract.stats.path])
  const user = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
  if (user) announceBalance(user.redCoinBalance)
}
