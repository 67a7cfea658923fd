// What the Twitch bot's tab asks the server: its credentials.

import {
  type BotCredentialsResponse,
  adminBotsContract as contract,
  type SaveBotCredentialsRequest,
} from '@redpack/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'

const credentialsQuery = endpointQuery(contract.credentials, { shows: ['twitch_bot'] })

export function useCredentials() {
  return useQuery<BotCredentialsResponse>({
    ...credentialsQuery,
  })
}

export function useSaveCredentials() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: SaveBotCredentialsRequest) => call(contract.saveCredentials, { body }),
    onSuccess: (saved) => queryClient.setQueryData(credentialsQuery.queryKey, saved),
  })
}

export function useDeleteCredentials() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(contract.deleteCredentials),
    onSuccess: () => queryClient.setQueryData(credentialsQuery.queryKey, null),
  })
}
