// Saves the colour theme that everyone sees.

import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { refuseChangedMeanwhile } from '../../rules/changed-meanwhile.ts'

/** Eight colours by field name. */
export type ThemeColors = Readonly<Record<string, string>>

const lockTheme = statement(
  'lock_theme',
  `SELECT value FROM app_settings WHERE key = 'theme' FOR UPDATE`,
)
const storeTheme = statement(
  'store_theme',
  `INSERT INTO app_settings (key, value, created_at, updated_at) VALUES ('theme', $1::jsonb, $2, $2)
   ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value, updated_at = EXCLUDED.updated_at`,
)

/** Stores the theme. Answers the one that stood before, null when there was none. */
export async function replaceTheme(
  tx: Queryable,
  theme: ThemeColors,
  now: Date,
): Promise<ThemeColors | null> {
  const before = await tx.run<{ value: ThemeColors }>(lockTheme, [])
  await tx.run(storeTheme, [JSON.stringify(theme), now])
  return before[0]?.value ?? null
}

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
