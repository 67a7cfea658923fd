// Saves the colour theme that everyone sees.

import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import { lockSetting, writeSetting } from '../../adapters/db/app-settings.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import { refuseChangedMeanwhile } from '../../rules/changed-meanwhile.ts'

/** Eight colours by field name. */
export type ThemeColors = Readonly<Record<string, string>>

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
  const before = (await lockSetting(tx, 'theme', 'null', now)) as ThemeColors | null
  if (before) refuseChangedMeanwhile(before, theme, expected)
  await writeSetting(tx, 'theme', JSON.stringify(theme), now)
  const target = { targetType: 'setting', targetId: 'theme' }
  return {
    answer: undefined,
    audit: { action: 'theme_saved', ...target, before: before ?? undefined, after: theme },
    events: [{ type: 'theme_changed' }],
  }
}
