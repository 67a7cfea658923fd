// The colour theme over HTTP.

import { adminThemeContract, themeContract } from '@redpack/contract'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { ReadyAnswers, sendReady } from '../../adapters/http/ready-answers.ts'
import { saveTheme } from './save-theme.ts'
import { currentTheme } from './views.ts'

export function registerTheme({ app, world, guards }: FeatureContext): void {
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
}
