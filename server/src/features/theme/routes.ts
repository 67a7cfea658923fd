// The colour theme over HTTP.

import {
  adminThemeContract,
  derivePalette,
  paletteVariables,
  themeContract,
  themeDefault,
} from '@redpack/contract'
import type { Queryable } from '../../adapters/db/database.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { ReadyAnswers, sendReady } from '../../adapters/http/ready-answers.ts'
import { saveTheme } from './save-theme.ts'
import { currentTheme } from './views.ts'

/** Answers a reader of the saved palette, `{}` while the default applies, for the page itself. */
export function registerTheme({ app, world, guards }: FeatureContext): () => Promise<string> {
  const ready = new ReadyAnswers<'theme'>(world, {
    isStaleAfter: ({ type }) => type === 'theme_changed',
    entriesMax: 1,
  })
  serve(app, guards, themeContract.theme, async ({ request, reply }) =>
    sendReady(request, reply, await ready.get('theme', () => currentTheme(world.db))),
  )
  serve(app, guards, adminThemeContract.theme, () => currentTheme(world.db))
  serve(app, guards, adminThemeContract.save, async ({ actor, body, request }) => {
    await saveTheme(world, actor, body, request.id)
    return currentTheme(world.db)
  })
  let palette: Promise<string> | undefined
  const forget = () => {
    palette = undefined
  }
  const stop = world.events.subscribe(({ type }) => {
    if (type === 'theme_changed') forget()
  })
  app.addHook('onClose', async () => stop())
  return () => {
    palette ??= readPalette(world.db)
    palette.catch(forget)
    return palette
  }
}

async function readPalette(db: Queryable): Promise<string> {
  const theme = await currentTheme(db)
  if (JSON.stringify(theme) === JSON.stringify(themeDefault)) return '{}'
  return JSON.stringify(paletteVariables(derivePalette(theme)))
}
