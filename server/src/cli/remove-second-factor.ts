// Takes the second factor off the local account, for whoever has lost app and recovery codes.

import { statement } from '../adapters/db/database.ts'
import type { Config } from '../config/config.ts'
import { readSecondFactor, removeSecondFactor } from '../features/account/tables.ts'
import { recordStaffAction } from '../features/audit/tables.ts'
import { type CommandOutput, withDatabase } from './command.ts'

const lockKeeper = statement(
  'lock_protected_account',
  'SELECT id FROM users WHERE is_protected AND deleted_at IS NULL ORDER BY id LIMIT 1 FOR UPDATE',
)

/** Says what was done; the password alone is enough from the next sign-in on. */
export async function takeOffSecondFactor(config: Config, output: CommandOutput): Promise<void> {
  const wasThere = await withDatabase(config, (db) =>
    db.transaction(async (tx) => {
      const [keeper] = await tx.run<{ id: number }>(lockKeeper, [])
      if (keeper === undefined) return false
      if ((await readSecondFactor(tx, keeper.id)) === undefined) return false
      await removeSecondFactor(tx, keeper.id)
      await recordStaffAction(tx, {
        actorId: keeper.id,
        action: 'second_factor.disable',
        targetType: 'user',
        targetId: String(keeper.id),
        reason: "The operator's command",
        requestId: 'command',
        now: new Date(),
      })
      return true
    }),
  )
  output.line(
    wasThere
      ? 'The local account signs in with its password alone now'
      : 'The local account has no second factor',
  )
}
