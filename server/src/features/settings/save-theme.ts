// Saves the colour theme that everyone sees.

import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import { refuseChangedMeanwhile } from '../../rules/changed-meanwhile.ts'
import { replaceTheme, type ThemeColors } from './theme-tables.ts'

/**
 * Replaces the stored theme as a whole; `expected` is what the sender saw before.
 * @throws DomainError changed_meanwhile
 */
export async function saveTheme(
  tx: Queryable,
  { now }: Author,
  theme: ThemeColors,
  expected?: Partial<ThemeColors>,
): Promise<Outcome<void>> {
  const before = await replaceTheme(tx, theme, now)
  if (before) refuseChangedMeanwhile(before, theme, expected)
  const target = { targetType: 'setting', targetId: 'theme' }
  return {
    answer: undefined,
    audit: { action: 'theme_saved', ...target, before: before ?? undefined, after: theme },
    events: [{ type: 'theme_changed' }],
  }
}
