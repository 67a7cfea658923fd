// Saves the colour theme that everyone sees.

import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { refuseChangedMeanwhile } from '../../rules/changed-meanwhile.ts'

/** Eight colours by field name. */
export type ThemeColors = Readonly<Record<string, string>>

// Made where there is none, so that two who save for the first time wait for each other as well.
const lockTheme = statement(
  'lock_theme',
  `INSERT INTO app_settings (key, value, created_at, updated_at) VALUES ('theme', 'null', $1, $1)
   ON CONFLICT (key) DO UPDATE SET key = EXCLUDED.key RETURNING value`,
)
const storeTheme = statement(
  'store_theme',
  `UPDATE app_settings SET value = $1::jsonb, updated_at = $2 WHERE key = 'theme'`,
)

/** Stores the theme. Answers the one that stood before, null when there was none. */
export async function replaceTheme(
  tx: Queryable,
  theme: ThemeColors,
  now: Date,
): Promise<ThemeColors | null> {
  const before = await tx.run<{ value: ThemeColors | null }>(lockTheme, [now])
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
