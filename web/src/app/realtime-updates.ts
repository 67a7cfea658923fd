// Has the socket's news asked for while someone is signed in.

import { authContract, realtimeTopics } from '@redpack/contract'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLoggingOut } from '../features/session/logging-out.ts'
import { useSession } from '../features/session/queries.ts'
import { changedTopics } from '../lib/changed-topics.ts'
import { realtime } from '../lib/realtime.ts'
import { connectRealtime } from '../lib/realtime-connection.ts'

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
    const connection = connectRealtime({
      onChanged: (topics) => changedTopics.announce(topics, 'news'),
      // After a gap nobody knows what was missed.
      onReconnected: () => changedTopics.announce(realtimeTopics, 'news'),
      onOpenChange: realtime.setOpen,
      onRefused: () => changedTopics.announce(['session'], 'news'),
    })
    realtime.hold(connection)
    const stopListening = onSessionAnswer(queryClient, connection.confirm)
    return () => {
      stopListening()
      realtime.disconnect()
    }
  }, [queryClient, userId])
}
