// Where news reaches the caller, as the profile asks it.

import { type NotificationsResponse, notificationsContract, watchContract } from '@redpack/contract'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../lib/endpoint-query.ts'

export const notificationsQuery = endpointQuery(notificationsContract.read, {
  shows: ['notifications', 'user'],
})

export function useNotifications() {
  return useQuery<NotificationsResponse>(notificationsQuery)
}

const streamsQuery = endpointQuery(watchContract.streams, { shows: ['streams'], empty: [] })

/** Streams to choose from; what watching asks of them besides stays with its own screens. */
export function useStreamNames() {
  return useQuery(streamsQuery)
}
