// The one number of the economy that staff set: what a losing pack pays.

import { consolationRedCoinDefault } from '@redpack/contract/limits'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import type { World } from '../../adapters/world.ts'
import { recordStaffAction } from '../audit/tables.ts'

const read = statement(
  'read_consolation',
  "SELECT value FROM app_settings WHERE key = 'consolationRedCoin'",
)
const save = statement(
  'save_consolation',
  `INSERT INTO app_settings (key, value, created_at, updated_at)
   VALUES ('consolationRedCoin', to_jsonb($1::bigint), $2, $2)
   ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value, updated_at = $2`,
)

/** RedCoin a losing pack pays now. */
export async function currentConsolation(db: Queryable): Promise<number> {
  const rows = await db.run<{ value: number }>(read, [])
  return rows[0]?.value ?? consolationRedCoinDefault
}

/** Sets what losing packs pay from the next opening on; 0 is allowed. */
export async function saveConsolation(
  world: World,
  actorId: number,
  requestId: string,
  consolationRedCoin: number,
): Promise<void> {
  const now = world.clock.now()
  await world.db.transaction(async (tx) => {
    const before = await currentConsolation(tx)
    await tx.run(save, [consolationRedCoin, now])
    await recordStaffAction(tx, {
      actorId,
      action: 'economy.save',
      targetType: 'settings',
      targetId: 'consolationRedCoin',
      before: { consolationRedCoin: before },
      after: { consolationRedCoin },
      requestId,
      now,
    })
  })
}
