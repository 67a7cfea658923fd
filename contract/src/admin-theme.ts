// The colour theme as staff read and save it (W-076, W-077).

import * as z from 'zod/mini'
import { themeColor } from './color-values.ts'
import { endpoint } from './endpoint.ts'
import { Theme } from './theme.ts'
import { requestObject } from './values.ts'

const fields = {
  primaryColor: themeColor('Primary'),
  secondaryColor: themeColor('Secondary'),
  accentColor: themeColor('Accent'),
  backgroundPrimary: themeColor('Background primary'),
  backgroundSecondary: themeColor('Background secondary'),
  textPrimary: themeColor('Text primary'),
  textSecondary: themeColor('Text secondary'),
  borderColor: themeColor('Border'),
}

export const SaveThemeRequest = requestObject({
  ...fields,
  expected: z.optional(z.partial(requestObject(fields))),
})

export const adminThemeContract = {
  theme: endpoint({
    method: 'GET',
    path: '/api/admin/settings/theme',
    access: 'staff',
    summary: 'The colour theme, for the settings tab.',
    wire: ['W-077'],
    response: Theme,
  }),
  save: endpoint({
    method: 'POST',
    path: '/api/admin/settings/theme',
    changes: [],
    access: 'staff',
    summary: 'Saves the colour theme.',
    wire: ['W-076'],
    body: SaveThemeRequest,
    response: Theme,
    domainErrors: ['changed_meanwhile'],
  }),
}
