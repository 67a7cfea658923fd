// Saves the colour theme that everyone sees.

import type { World } from '../../adapters/world.ts'
import type { Actor } from '../../rules/roles.ts'
import { recordStaffAction } from '../audit/tables.ts'
import { replaceTheme, type ThemeColors } from './tables.ts'

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
    await recordStaffAction(tx, {
      actorId: actor.userId,
      action: 'theme_saved',
      targetType: 'setting',
      targetId: 'theme',
      before: before ?? undefined,
      after: theme,
      requestId,
      now,
    })
  })
  world.events.publish({ type: 'theme_changed' })
}
