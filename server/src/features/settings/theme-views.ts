// The colour theme as everyone sees it.

import { type Theme, themeDefault } from '@redpack/contract'
import { readSetting } from '../../adapters/db/app-settings.ts'
import type { Queryable } from '../../adapters/db/database.ts'

/** The saved theme; a colour that is not saved has its default. */
export async function currentTheme(db: Queryable): Promise<Theme> {
  const saved = ((await readSetting(db, 'theme')) ?? {}) as Readonly<Record<string, string>>
  const colors = Object.entries(themeDefault).map(([name, color]) => [name, saved[name] ?? color])
  return Object.fromEntries(colors) as Theme
}
