// Taking all RedCoin or all packs from everyone, in one set-based step.

import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import { numberText } from '../../shared/number-text.ts'
import { takeAllBalances, takeAllHoldings } from '../ledger/bulk-tables.ts'
import { reachedUsers } from './distribute.ts'
import { staffReason } from './staff-reason.ts'
import { allowLongBatch } from './tables.ts'

interface Taken {
  readonly success: true
  readonly message: string
  readonly totalRemoved: number
  readonly usersAffected: number
}

/** Takes every balance or every holding to 0 and answers how much that was, from how many users. */
export async function takeFromAll(
  tx: Queryable,
  { now }: Author,
  what: 'redcoin' | 'packs',
  batchId: string,
): Promise<Outcome<Taken>> {
  await allowLongBatch(tx)
  const take = what === 'redcoin' ? takeAllBalances : takeAllHoldings
  const changed = await take(tx, staffReason(batchId, 'Removed from all users', now))
  const reached = [...new Set(changed.map(({ userId }) => userId))]
  const totalRemoved = changed.reduce((sum, { delta }) => sum - delta, 0)
  const usersAffected = reached.length
  const granted = what === 'redcoin' ? 'RedCoin' : 'pack(s)'
  const message =
    usersAffected === 0
      ? `There was nothing to remove: nobody has any ${what === 'redcoin' ? 'RedCoin' : 'packs'}`
      : `Removed ${numberText(totalRemoved)} ${granted} from ${numberText(usersAffected)} users`
  return {
    answer: { success: true, message, totalRemoved, usersAffected },
    audit: {
      action: `${what}.take_all`,
      targetType: 'users',
      targetId: null,
      before: { total: totalRemoved },
      after: { total: 0, totalRemoved, usersAffected },
      batchId,
    },
    events: reachedUsers(reached),
  }
}
