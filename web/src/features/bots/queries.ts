// What the bot tabs ask the server: the Discord bot's whitelist and settings, and the Twitch bot's
// credentials.

import {
  type AddDiscordServerRequest,
  type BotCredentialsResponse,
  type BotSettings,
  adminBotsContract as contract,
  type DiscordServer,
  type SaveBotCredentialsRequest,
  type SaveBotSettingsRequest,
} from '@redpack/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { refreshQueries } from '../../lib/refresh-queries.ts'

/** How often the state of the bot is asked for while its tab is open, in milliseconds. */
const stateMs = 30_000

export function useDiscordServers() {
  return useQuery<DiscordServer[]>({
    queryKey: [contract.servers.path],
    queryFn: ({ signal }) => call(contract.servers, { signal }),
    refetchInterval: stateMs,
  })
}

export function useBotSettings() {
  return useQuery<BotSettings>({
    queryKey: [contract.settings.path],
    queryFn: ({ signal }) => call(contract.settings, { signal }),
    refetchInterval: stateMs,
  })
}

export function useAddServer() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: AddDiscordServerRequest) => call(contract.addServer, { body }),
    onSettled: () => refreshQueries(queryClient, [contract.servers, contract.settings]),
  })
}

export function useRemoveServer() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(contract.removeServer, { params: { id } }),
    onSettled: () => refreshQueries(queryClient, [contract.servers]),
  })
}

export function useSaveBotSettings() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: SaveBotSettingsRequest) => call(contract.saveSettings, { body }),
    onSuccess: (saved) => queryClient.setQueryData([contract.settings.path], saved),
    onSettled: () => refreshQueries(queryClient, [contract.settings]),
  })
}

/** Posts one message that pays; it is not sent again by itself. */
export function useTestClaim() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (channelId: string) => call(contract.testClaim, { body: { channelId } }),
    onSettled: () => refreshQueries(queryClient, [contract.servers, contract.settings]),
  })
}

export function useCredentials() {
  return useQuery<BotCredentialsResponse>({
    queryKey: [contract.credentials.path],
    queryFn: ({ signal }) => call(contract.credentials, { signal }),
  })
}

export function useSaveCredentials() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: SaveBotCredentialsRequest) => call(contract.saveCredentials, { body }),
    onSuccess: (saved) => queryClient.setQueryData([contract.credentials.path], saved),
  })
}

export function useDeleteCredentials() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(contract.deleteCredentials),
    onSuccess: () => queryClient.setQueryData([contract.credentials.path], null),
    onSettled: () => refreshQueries(queryClient, [contract.credentials]),
  })
}
