// The colour theme that everyone sees: read, saved by staff, and told to new pages.

import {
  adminThemeContract,
  deriveThemePalette,
  paletteVariables,
  type Theme,
  themeContract,
  themeDefault,
} from '@redpack/contract'
import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import { lockSetting, readSetting, writeSetting } from '../../adapters/db/app-settings.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import type { ProductEvent } from '../../adapters/events/events.ts'
import { command } from '../../adapters/http/command.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { ResponseCache } from '../../adapters/http/response-cache.ts'
import { refuseChangedMeanwhile } from '../../rules/changed-meanwhile.ts'

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
    run: (tx, by, { expected, ...theme }) => saveTheme(tx, by, theme, expected),
  })
  return async () => String((await palettes.get('palette', () => readPalette(deps.db))).body)
}

type Palette = ReturnType<typeof paletteVariables> | Readonly<Record<string, never>>

async function readPalette(db: Queryable): Promise<Palette> {
  const theme = await currentTheme(db)
  if (JSON.stringify(theme) === JSON.stringify(themeDefault)) return {}
  return paletteVariables(deriveThemePalette(theme))
}

/** The saved theme; a colour that is not saved has its default. */
async function currentTheme(db: Queryable): Promise<Theme> {
  const saved = ((await readSetting(db, 'theme')) ?? {}) as Readonly<Record<string, string>>
  const colors = Object.entries(themeDefault).map(([name, color]) => [name, saved[name] ?? color])
  return Object.fromEntries(colors) as Theme
}

/**
 * Replaces the stored theme as a whole; `expected` is what the sender saw before.
 * @throws DomainError changed_meanwhile
 */
async function saveTheme(
  tx: Queryable,
  { now }: Author,
  theme: Theme,
  expected?: Partial<Theme>,
): Promise<Outcome<Theme>> {
  const before = (await lockSetting(tx, 'theme', 'null', now)) as Theme | null
  if (before) refuseChangedMeanwhile(before, theme, expected)
  await writeSetting(tx, 'theme', JSON.stringify(theme), now)
  const target = { targetType: 'setting', targetId: 'theme' }
  return {
    answer: await currentTheme(tx),
    audit: { action: 'theme_saved', ...target, before: before ?? undefined, after: theme },
    events: [{ type: 'theme_changed' }],
  }
}
