// The colour theme that everyone sees (W-025).

import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const Theme = z.object({
  primaryColor: z.string(),
  secondaryColor: z.string(),
  accentColor: z.string(),
  backgroundPrimary: z.string(),
  backgroundSecondary: z.string(),
  textPrimary: z.string(),
  textSecondary: z.string(),
  borderColor: z.string(),
})
export type Theme = z.infer<typeof Theme>

/** What applies while no theme is saved. */
export const themeDefault: Theme = {
  primaryColor: '#ff6b6b',
  secondaryColor: '#4ecdc4',
  accentColor: '#ffd93d',
  backgroundPrimary: '#1a1a2e',
  backgroundSecondary: '#16213e',
  textPrimary: '#ffffff',
  textSecondary: '#a0a0a0',
  borderColor: '#374151',
}

export const themeContract = {
  theme: endpoint('public', 'GET', '/api/settings/theme', {
    summary: 'Returns the colour theme.',
    response: Theme,
  }),
}
