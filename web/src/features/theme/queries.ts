// What the Settings tab asks the server: the theme, the settings of the economy, and to save both.

import {
  adminOverviewContract,
  adminThemeContract,
  type EconomySettings,
  fairnessContract,
  type Theme,
  themeContract,
} from '@redpack/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { applyTheme } from '../../lib/theme.ts'

export function useSavedTheme() {
  return useQuery<Theme>({
    queryKey: [adminThemeContract.theme.path],
    queryFn: ({ signal }) => call(adminThemeContract.theme, { signal }),
  })
}

/** Saves the theme and paints this page in it; other pages hear of it over the socket. */
export function useSaveTheme() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: Theme): Promise<Theme> => call(adminThemeContract.save, { body }),
    onSuccess: (saved) => {
      queryClient.setQueryData([adminThemeContract.theme.path], saved)
      queryClient.setQueryData([themeContract.theme.path], saved)
      applyTheme(saved)
    },
  })
}

export function useEconomySettings() {
  return useQuery<EconomySettings>({
    queryKey: [adminOverviewContract.economySettings.path],
    queryFn: ({ signal }) => call(adminOverviewContract.economySettings, { signal }),
  })
}

/** Changes what losing packs pay; the published odds say so at once. */
export function useSaveEconomySettings() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: EconomySettings): Promise<EconomySettings> =>
      call(adminOverviewContract.saveEconomySettings, { body }),
    onSuccess: (saved) => {
      queryClient.setQueryData([adminOverviewContract.economySettings.path], saved)
      queryClient
        .invalidateQueries({ queryKey: [fairnessContract.odds.path] })
        .catch(() => undefined)
    },
  })
}
