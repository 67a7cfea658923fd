// Everything Watch Rewards asks of the server: streams, sessions, completions, starts and
// heartbeats.

import {
  type HeartbeatResponse,
  type WatchRequest,
  type WatchSession,
  watchContract,
} from '@redpack/contract'
import { type FetchStatus, type QueryClient, skipToken, useQuery } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { changedTopics } from '../../lib/changed-topics.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'
import { announceBalance } from '../session/balance-queries.ts'
import { askWhoIsSignedIn } from '../session/queries.ts'
import { type BeatState, sessionsPollMs } from './broadcasts.ts'

/** How often streams and completions are asked for, in milliseconds. */
const listsPollMs = 30_000
/** How often a running session reports, in milliseconds. */
export const heartbeatMs = 60_000

const streamsQuery = endpointQuery(watchContract.streams, { shows: ['streams'], empty: [] })
const sessionsQuery = endpointQuery(watchContract.sessions, {
  shows: ['watch', 'streams'],
  empty: [],
})
const completionsQuery = endpointQuery(watchContract.completions, { shows: ['watch'], empty: [] })

// The polls go on in hidden tabs: whoever watches on Twitch has this page behind another.
const polled = (everyMs: number) => ({
  refetchInterval: ({ state }: { readonly state: PollState }) => untilNextPoll(state, everyMs),
  refetchIntervalInBackground: true,
})

interface PollState {
  readonly fetchStatus: FetchStatus
  readonly dataUpdatedAt: number
  readonly errorUpdatedAt: number
}

/** Counted from the last answer: the library counts from whatever has changed the data last. */
function untilNextPoll(state: PollState, everyMs: number): number {
  const answeredAt = Math.max(state.dataUpdatedAt, state.errorUpdatedAt)
  if (state.fetchStatus !== 'idle' || answeredAt === 0) return everyMs
  const leftMs = everyMs - (Date.now() - answeredAt)
  return Math.min(everyMs, Math.max(1, leftMs))
}

/** The active streams, live ones first. */
export function useStreams() {
  return useQuery({ ...streamsQuery, ...polled(listsPollMs) })
}

/** The caller's sessions, newest first. */
export function useWatchSessions() {
  return useQuery({ ...sessionsQuery, ...polled(sessionsPollMs) })
}

/** The caller's completions, newest first. */
export function useWatchCompletions() {
  return useQuery({ ...completionsQuery, ...polled(listsPollMs) })
}

/** How the last beat of a session went, as the page that sends them has put it there. */
export function useLastBeat(id: number | undefined): BeatState {
  return useQuery<BeatState>({ ...lastBeat(id), queryFn: skipToken, gcTime: 0 }).data ?? {}
}

export const lastBeat = (id: number | undefined) => ({ queryKey: ['last-beat', id] })

/** Changes what is shown of the sessions until they are asked for the next time. */
function changeSessions(
  queryClient: QueryClient,
  change: (sessions: WatchSession[] | undefined) => WatchSession[] | undefined,
): void {
  const { queryKey } = sessionsQuery
  const updatedAt = queryClient.getQueryState(queryKey)?.dataUpdatedAt
  queryClient.setQueryData<WatchSession[]>(queryKey, change, { updatedAt })
}

/** Starts the session of a broadcast, or takes up the one that is there. */
export async function startSession(queryClient: QueryClient, order: WatchRequest): Promise<void> {
  const session = await call(watchContract.startSession, { body: order })
  changeSessions(queryClient, (sessions = []) => [
    session,
    ...sessions.filter(({ id }) => id !== session.id),
  ])
}

/** Has time count for this session, and keeps at once that it does not for the others. */
export async function chooseSession(queryClient: QueryClient, id: number): Promise<void> {
  const chosen = await call(watchContract.selectActiveStream, { params: { id } })
  changeSessions(queryClient, (sessions) =>
    sessions?.map((session) => {
      if (session.id === id) return chosen
      if (!session.isCounting) return session
      return { ...session, isCounting: false, notCountingBecause: 'other_stream' }
    }),
  )
}

/** Reports that a broadcast is being watched and keeps what the server has counted. */
export async function sendHeartbeat(queryClient: QueryClient, order: WatchRequest): Promise<void> {
  const answer = await call(watchContract.heartbeat, { body: order })
  changeSessions(queryClient, (sessions) =>
    sessions?.map((session) => creditedSession(session, order, answer)),
  )
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

/** After a completion: sessions and packs are asked for again, and the new balance is broadcast. */
export async function refreshAfterCompletion(queryClient: QueryClient): Promise<void> {
  changedTopics.announce(['watch', 'holdings'], 'call')
  const user = await askWhoIsSignedIn(queryClient)
  if (user) announceBalance(user.redCoinBalance ?? 0)
}
