// What a page asks for again when the server says over the socket that something has changed.

import {
  authContract,
  claimsContract,
  coinsContract,
  fairnessContract,
  historyContract,
  noticesContract,
  packsContract,
  type RealtimeTopic,
  storeContract,
  walletProofContract,
  watchContract,
} from '@redpack/contract'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLoggingOut } from '../features/session/logging-out.ts'
import { sessionQuery, useSession } from '../features/session/queries.ts'
import { logFailure } from '../lib/log.ts'
import { realtime } from '../lib/realtime.ts'
import { connectRealtime } from '../lib/realtime-connection.ts'
import { openDialogs } from '../ui/dialog-shell.ts'
import { loadTheme } from './load-theme.ts'

/** The queries behind each topic. The theme is no query on screen; it is loaded and painted. */
const pathsOf: Readonly<Record<RealtimeTopic, readonly string[]>> = {
  user: [
    authContract.me.path,
    noticesContract.list.path,
    claimsContract.list.path,
    historyContract.redCoin.path,
    walletProofContract.status.path,
  ],
  holdings: [
    packsContract.holdings.path,
    packsContract.stats.path,
    packsContract.openings.path,
    fairnessContract.openings.path,
  ],
  leaderboard: [coinsContract.leaderboard.path],
  listings: [storeContract.listings.path],
  pack_types: [packsContract.types.path, fairnessContract.odds.path],
  streams: [watchContract.streams.path],
  theme: [],
  watch: [watchContract.sessions.path, watchContract.completions.path],
}

const everything = Object.keys(pathsOf) as RealtimeTopic[]

/** What an opening changes: on screen before its reveal, it would give the prize away. */
const revealing: ReadonlySet<RealtimeTopic> = new Set(['user', 'holdings', 'leaderboard'])

/** An answered opening has its dialog on screen by then, in milliseconds. */
export const revealGraceMs = 200

export interface Refetcher {
  take(topics: readonly RealtimeTopic[]): void
  stop(): void
}

function refetch(queryClient: QueryClient, topic: RealtimeTopic): void {
  if (topic === 'theme') {
    loadTheme(queryClient).catch((error) => logFailure('The theme could not be loaded', error))
  }
  for (const path of pathsOf[topic]) {
    queryClient.invalidateQueries({ queryKey: [path] }).catch(() => undefined)
  }
}

/**
 * Asks again for what has changed: at once, but for what an opening changes only when no request
 * that changes something is under way and no dialog is open.
 */
export function createRefetcher(queryClient: QueryClient): Refetcher {
  const waiting = new Set<RealtimeTopic>()
  let timer: number | undefined

  const flush = () => {
    timer = undefined
    if (openDialogs.read() > 0 || queryClient.isMutating() > 0) return
    for (const topic of waiting) refetch(queryClient, topic)
    waiting.clear()
  }
  const flushSoon = () => {
    if (waiting.size > 0) timer ??= window.setTimeout(flush, revealGraceMs)
  }
  const stops = [
    openDialogs.subscribe(flushSoon),
    queryClient.getMutationCache().subscribe(flushSoon),
  ]

  return {
    take(topics) {
      for (const topic of topics) {
        if (revealing.has(topic)) waiting.add(topic)
        else refetch(queryClient, topic)
      }
      flushSoon()
    },
    stop() {
      window.clearTimeout(timer)
      for (const stop of stops) stop()
    },
  }
}

/** Calls back whenever the server itself has said who is signed in. */
function onSessionAnswer(queryClient: QueryClient, listener: () => void): () => void {
  return queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) return
    if (event.query.queryKey[0] === authContract.me.path && event.query.state.data) listener()
  })
}

/** Follows the server's changes while someone is signed in. */
export function useRealtimeUpdates(): void {
  const queryClient = useQueryClient()
  const { user } = useSession()
  const isLoggingOut = useLoggingOut()
  const userId = isLoggingOut ? undefined : user?.id

  useEffect(() => {
    if (userId === undefined) return
    const refetcher = createRefetcher(queryClient)
    const connection = connectRealtime({
      onChanged: refetcher.take,
      onReconnected: () => refetcher.take(everything),
      onRefused: () => {
        queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }).catch(() => undefined)
      },
    })
    realtime.hold(connection)
    const stopListening = onSessionAnswer(queryClient, connection.confirm)
    return () => {
      stopListening()
      refetcher.stop()
      realtime.disconnect()
    }
  }, [queryClient, userId])
}
