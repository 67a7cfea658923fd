// What the Settings tab asks the server: the theme, the settings of the economy, and to save both.

import { adminOverviewContract, adminThemeContract, type Theme } from '@redpack/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'
import { applyTheme, themeQuery } from '../../lib/theme.ts'

export const savedThemeQuery = endpointQuery(adminThemeContract.theme, {
  shows: ['theme'],
  isNeeded: true,
})

/** Saves the theme and paints this page in it; other pages hear of it over the socket. */
export function useSaveTheme() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: Theme & { readonly expected: Theme }): Promise<Theme> =>
      call(adminThemeContract.save, { body }),
    onSuccess: (saved) => {
      queryClient.setQueryData(savedThemeQuery.queryKey, saved)
      queryClient.setQueryData(themeQuery.queryKey, saved)
      applyTheme(saved)
    },
  })
}

/** What losing packs pay. */
export const economySettingsQuery = endpointQuery(adminOverviewContract.economySettings, {
  shows: ['pack_types'],
  isNeeded: true,
})
