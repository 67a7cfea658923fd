// Saves the colour theme that everyone sees.

import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import { replaceTheme, type ThemeColors } from './theme-tables.ts'

/** Replaces the stored theme as a whole. */
export async function saveTheme(
  tx: Queryable,
  { now }: Author,
  theme: ThemeColors,
): Promise<Outcome<void>> {
  const before = await replaceTheme(tx, theme, now)
  const target = { targetType: 'setting', targetId: 'theme' }
  return {
    answer: undefined,
    audit: { action: 'theme_saved', ...target, before: before ?? undefined, after: theme },
    events: [{ type: 'theme_changed' }],
  }
}
