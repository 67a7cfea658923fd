// Taking all RedCoin or all packs from everyone, in one set-based step.

import { type OnceAnswer, once } from '../../adapters/db/once.ts'
import type { World } from '../../adapters/world.ts'
import { recordStaffAction } from '../audit/tables.ts'
import { announce, type StaffCall } from './distribute.ts'
import { allowLongBatch, takePacksOfAll, takeRedCoinOfAll } from './tables.ts'

const shown = new Intl.NumberFormat('en')

/** Takes every balance or every holding to 0 and answers how much that was, from how many users. */
export async function takeFromAll(
  world: World,
  staff: StaffCall,
  what: 'redcoin' | 'packs',
): Promise<OnceAnswer> {
  const now = world.clock.now()
  const batchId = world.random.uuid()
  let reached: readonly number[] = []
  const call = {
    userId: staff.actorId,
    route: staff.route,
    key: staff.idempotencyKey,
    input: what,
    now,
  }
  const answer = await once(world.db, call, async (tx) => {
    await allowLongBatch(tx)
    const take = what === 'redcoin' ? takeRedCoinOfAll : takePacksOfAll
    const changed = await take(tx, batchId, 'Removed from all users', now)
    reached = [...new Set(changed.map(({ userId }) => userId))]
    const totalRemoved = -changed.reduce((sum, { delta }) => sum + delta, 0)
    const usersAffected = reached.length
    await recordStaffAction(tx, {
      actorId: staff.actorId,
      action: `${what}.take_all`,
      targetType: 'users',
      targetId: null,
      before: { total: totalRemoved },
      after: { total: 0, totalRemoved, usersAffected },
      batchId,
      requestId: staff.requestId,
      now,
    })
    const thing = what === 'redcoin' ? 'RedCoin' : 'pack(s)'
    const message = `Removed ${shown.format(totalRemoved)} ${thing} from ${shown.format(usersAffected)} users`
    return { success: true, message, totalRemoved, usersAffected }
  })
  announce(world, reached)
  return answer
}
