// What the Settings tab asks the server: the theme, the settings of the economy, and to save both.

import {
  adminOverviewContract,
  adminThemeContract,
  type EconomySettings,
  type Theme,
} from '@redpack/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'
import { applyTheme, themeQuery } from '../../lib/theme.ts'

const savedThemeQuery = endpointQuery(adminThemeContract.theme, { shows: [], isNeeded: true })

export function useSavedTheme() {
  return useQuery<Theme>(savedThemeQuery)
}

/** Saves the theme and paints this page in it; other pages hear of it over the socket. */
export function useSaveTheme() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: Theme): Promise<Theme> => call(adminThemeContract.save, { body }),
    onSuccess: (saved) => {
      queryClient.setQueryData(savedThemeQuery.queryKey, saved)
      queryClient.setQueryData(themeQuery.queryKey, saved)
      applyTheme(saved)
    },
  })
}

const settingsQuery = endpointQuery(adminOverviewContract.economySettings, {
  shows: [],
  isNeeded: true,
})

export function useEconomySettings() {
  return useQuery<EconomySettings>(settingsQuery)
}

/** Changes what losing packs pay; the published odds say so at once. */
export function useSaveEconomySettings() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: EconomySettings): Promise<EconomySettings> =>
      call(adminOverviewContract.saveEconomySettings, { body }),
    onSuccess: (saved) => queryClient.setQueryData(settingsQuery.queryKey, saved),
  })
}
