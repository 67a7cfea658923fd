// The colour theme as everyone sees it.

import { type Theme, themeDefault } from '@redpack/contract'
import { type Queryable, statement } from '../../adapters/db/database.ts'

const readTheme = statement('read_theme', "SELECT value FROM app_settings WHERE key = 'theme'")

/** The saved theme; a colour that is not saved has its default. */
export async function currentTheme(db: Queryable): Promise<Theme> {
  const [row] = await db.run<{ value: Partial<Theme> }>(readTheme, [])
  const saved = row?.value ?? {}
  return {
    primaryColor: saved.primaryColor ?? themeDefault.primaryColor,
    secondaryColor: saved.secondaryColor ?? themeDefault.secondaryColor,
    accentColor: saved.accentColor ?? themeDefault.accentColor,
    backgroundPrimary: saved.backgroundPrimary ?? themeDefault.backgroundPrimary,
    backgroundSecondary: saved.backgroundSecondary ?? themeDefault.backgroundSecondary,
    textPrimary: saved.textPrimary ?? themeDefault.textPrimary,
    textSecondary: saved.textSecondary ?? themeDefault.textSecondary,
    borderColor: saved.borderColor ?? themeDefault.borderColor,
  }
}
