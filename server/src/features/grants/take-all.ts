// Taking all RedCoin or all packs from everyone, in one set-based step.

import { keyedByStaff, type OnceAnswer, once } from '../../adapters/db/once.ts'
import type { World } from '../../adapters/world.ts'
import type { StaffCall } from '../../rules/staff-call.ts'
import { recordStaffAction } from '../audit/tables.ts'
import { announce } from './distribute.ts'
import { allowLongBatch, takePacksOfAll, takeRedCoinOfAll } from './tables.ts'

const shown = new Intl.NumberFormat('en')

interface Taken {
  readonly success: true
  readonly message: string
  readonly totalRemoved: number
  readonly usersAffected: number
}

/** Takes every balance or every holding to 0 and answers how much that was, from how many users. */
export async function takeFromAll(
  world: World,
  staff: StaffCall,
  what: 'redcoin' | 'packs',
): Promise<OnceAnswer<Taken>> {
  const now = world.clock.now()
  const batchId = world.random.uuid()
  let reached: readonly number[] = []
  const call = keyedByStaff(staff, what, now)
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
    return { success: true as const, message, totalRemoved, usersAffected }
  })
  announce(world, reached)
  return answer
}
