// The colour theme as everyone sees it.

import { type Theme, themeDefault } from '@redpack/contract'
import { type Queryable, statement } from '../../adapters/db/database.ts'

const readTheme = statement('read_theme', "SELECT value FROM app_settings WHERE key = 'theme'")

/** The saved theme; a colour that is not saved has its default. */
export async function currentTheme(db: Queryable): Promise<Theme> {
  const [row] = await db.run<{ value: Partial<Theme> }>(readTheme, [])
  const saved: Readonly<Record<string, string | undefined>> = row?.value ?? {}
  const colors = Object.entries(themeDefault).map(([name, color]) => [name, saved[name] ?? color])
  return Object.fromEntries(colors) as Theme
}
