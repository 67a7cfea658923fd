// Saves the colour theme that everyone sees.

import type { World } from '../../adapters/world.ts'
import type { Actor } from '../../rules/roles.ts'
import { recordThemeChange, replaceTheme, type ThemeColors } from './tables.ts'

/** Replaces the stored theme as a whole and records who did it, in one transaction. */
export async function saveTheme(
  world: World,
  actor: Actor,
  theme: ThemeColors,
  requestId: string,
): Promise<void> {
  const now = world.clock.now()
  await world.db.transaction(async (tx) => {
    const before = await replaceTheme(tx, theme, now)
    await recordThemeChange(tx, { actorId: actor.userId, before, after: theme, requestId, now })
  })
  world.events.publish({ type: 'theme_changed' })
}
