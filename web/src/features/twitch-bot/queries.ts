// What the Twitch bot's tab asks the server: its credentials.

import { adminBotsContract as contract } from '@redpack/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'

export const credentialsQuery = endpointQuery(contract.credentials, { shows: ['twitch_bot'] })

export function useDeleteCredentials() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(contract.deleteCredentials),
    onSuccess: () => queryClient.setQueryData(credentialsQuery.queryKey, null),
  })
}
