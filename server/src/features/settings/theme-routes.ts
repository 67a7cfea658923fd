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
import { command, withAnswer } from '../../adapters/http/command.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { ResponseCache } from '../../adapters/http/response-cache.ts'
import { saveTheme } from './save-theme.ts'
import { currentTheme } from './theme-views.ts'

/** Answers a reader of the saved palette, `{}` while the default applies, for the page itself. */
export function registerTheme(context: FeatureContext): () => Promise<string> {
  const { app, deps, guards } = context
  const ready = new ResponseCache<'theme', Theme>(deps, {
    isStaleAfter: ({ type }) => type === 'theme_changed',
    entriesMax: 1,
  })
  serve(app, guards, themeContract.theme, () => ready.get('theme', () => currentTheme(deps.db)))
  serve(app, guards, adminThemeContract.theme, () => currentTheme(deps.db))
  command(context, adminThemeContract.save, {
    order: ({ body }) => body,
    run: async (tx, by, { expected, ...theme }) =>
      withAnswer(await saveTheme(tx, by, theme, expected), await currentTheme(tx)),
  })
  let palette: Promise<string> | undefined
  const forget = () => {
    palette = undefined
  }
  const stop = deps.events.subscribe(({ type }) => {
    if (type === 'theme_changed') forget()
  })
  app.addHook('onClose', async () => stop())
  return () => {
    palette ??= readPalette(deps.db)
    palette.catch(forget)
    return palette
  }
}

async function readPalette(db: Queryable): Promise<string> {
  const theme = await currentTheme(db)
  if (JSON.stringify(theme) === JSON.stringify(themeDefault)) return '{}'
  return JSON.stringify(paletteVariables(deriveThemePalette(theme)))
}
