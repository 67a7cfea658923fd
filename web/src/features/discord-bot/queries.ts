// What the Discord bot's tab asks the server: its whitelist and its settings.

import {
  type BotSettings,
  adminBotsContract as contract,
  type DiscordServer,
  type SaveBotSettingsRequest,
} from '@redpack/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'

/** How often the state of the bot is asked for while its tab is open, in milliseconds. */
const stateMs = 30_000

export function useDiscordServers() {
  return useQuery<DiscordServer[]>({
    ...endpointQuery(contract.servers, { shows: ['discord_bot'], empty: [] }),
    refetchInterval: stateMs,
  })
}

const settingsQuery = endpointQuery(contract.settings, { shows: ['discord_bot'], isNeeded: true })

export function useBotSettings() {
  return useQuery<BotSettings>({
    ...settingsQuery,
    refetchInterval: stateMs,
  })
}

export function useSaveBotSettings() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: SaveBotSettingsRequest) => call(contract.saveSettings, { body }),
    onSuccess: (saved) => queryClient.setQueryData(settingsQuery.queryKey, saved),
  })
}
