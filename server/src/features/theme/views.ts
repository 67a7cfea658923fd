// The colour theme as everyone sees it.

import { type Theme, themeDefault } from '@redpack/contract'
import { eq } from 'drizzle-orm'
import type { Queryable } from '../../adapters/db/database.ts'
import { appSettings } from '../../adapters/db/schema-accounts.ts'

/** The saved theme; a colour that is not saved has its default. */
export async function currentTheme(db: Queryable): Promise<Theme> {
  const rows = await db.orm
    .select({ value: appSettings.value })
    .from(appSettings)
    .where(eq(appSettings.key, 'theme'))
  const saved = (rows[0]?.value ?? {}) as Partial<Theme>
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
