// The colour theme that everyone sees (W-025).

import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { fieldsOf } from './values.ts'

/** What applies while no theme is saved. */
export const themeDefault = {
  primaryColor: '#ff6b6b',
  secondaryColor: '#4ecdc4',
  accentColor: '#ffd93d',
  backgroundPrimary: '#1a1a2e',
  backgroundSecondary: '#16213e',
  textPrimary: '#ffffff',
  textSecondary: '#a0a0a0',
  borderColor: '#374151',
}
export type Theme = typeof themeDefault
export const Theme = z.object(
  fieldsOf(Object.keys(themeDefault) as (keyof Theme)[], () => z.string()),
)

export const themeContract = {
  theme: endpoint('public', 'GET', '/api/settings/theme', {
    summary: 'Returns the colour theme.',
    response: Theme,
  }),
}
