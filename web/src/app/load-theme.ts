// Asks for the saved theme once and paints the interface in it.

import type { Theme } from '@redpack/contract'
import type { QueryClient } from '@tanstack/react-query'
import { applyTheme, themeQuery } from '../lib/theme.ts'

export async function loadTheme(queryClient: QueryClient): Promise<void> {
  applyTheme(await queryClient.fetchQuery<Theme>(themeQuery))
}
