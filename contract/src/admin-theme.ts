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
  theme: endpoint('staff', 'GET', '/api/admin/settings/theme', {
    summary: 'Returns the colour theme for the settings tab.',
    response: Theme,
  }),
  save: endpoint('staff', 'POST', '/api/admin/settings/theme', {
    changes: [],
    summary: 'Saves the colour theme.',
    body: SaveThemeRequest,
    response: Theme,
    domainErrors: ['changed_meanwhile'],
  }),
}
