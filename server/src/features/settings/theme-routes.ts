// The colour theme over HTTP.

import {
  adminThemeContract,
  deriveThemePalette,
  paletteVariables,
  type Theme,
  themeContract,
  themeDefault,
} from '@redpack/contract'
import type { Queryable } from '../../adapters/db/database.ts'
import type { ProductEvent } from '../../adapters/events/events.ts'
import { command, withAnswer } from '../../adapters/http/command.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { ResponseCache } from '../../adapters/http/response-cache.ts'
import { saveTheme } from './save-theme.ts'
import { currentTheme } from './theme-views.ts'

/** Answers a reader of the saved palette, `{}` while the default applies, for the page itself. */
export function registerTheme(context: FeatureContext): () => Promise<string> {
  const { app, deps, guards } = context
  const options = {
    isStaleAfter: ({ type }: ProductEvent) => type === 'theme_changed',
    entriesMax: 1,
  }
  const ready = new ResponseCache<'theme', Theme>(deps, options)
  const palettes = new ResponseCache<'palette', Palette>(deps, options)
  serve(app, guards, themeContract.theme, () => ready.get('theme', () => currentTheme(deps.db)))
  serve(app, guards, adminThemeContract.theme, () => currentTheme(deps.db))
  command(context, adminThemeContract.save, {
    order: ({ body }) => body,
    run: async (tx, by, { expected, ...theme }) =>
      withAnswer(await saveTheme(tx, by, theme, expected), await currentTheme(tx)),
  })
  return async () => String((await palettes.get('palette', () => readPalette(deps.db))).body)
}

type Palette = ReturnType<typeof paletteVariables> | Readonly<Record<string, never>>

async function readPalette(db: Queryable): Promise<Palette> {
  const theme = await currentTheme(db)
  if (JSON.stringify(theme) === JSON.stringify(themeDefault)) return {}
  return paletteVariables(deriveThemePalette(theme))
}
