// Giving packs or RedCoin to one, some or all, and taking them from one.

import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import { sqlState } from '../../adapters/db/retry.ts'
import type { ProductEvent } from '../../adapters/events/events.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { numberText } from '../../shared/number-text.ts'
import { type Changed, changeBalances, changeHoldings } from '../ledger/bulk-tables.ts'
import type { Granted } from './grant-answers.ts'
import { type Distribution, findRecipients, type Reached } from './recipients.ts'
import { recordGrant } from './record-grant.ts'
import { staffReason } from './staff-reason.ts'
import { allowLongBatch, packTypeName } from './tables.ts'

/**
 * Changes the holdings or balances of everyone the distribution reaches, all or nothing. To named
 * users or everyone it is a batch, with a receipt. `answer` makes what is answered.
 * @throws DomainError not_found for an unknown user or pack type, invalid_input when no name is
 * known or somebody would hold too much
 */
export async function distribute<Answer>(
  tx: Queryable,
  by: Author,
  order: Distribution,
  batchId: string,
  answer: (granted: Granted) => Answer,
): Promise<Outcome<Answer>> {
  await allowLongBatch(tx)
  const granted = await grantedName(tx, order.packTypeId)
  const people = await findRecipients(tx, order.target)
  const description = order.description === '' ? 'Admin distribution' : order.description
  const change = {
    userIds: people.recipients.map(({ id }) => id),
    amounts: people.recipients.map(() => order.amount),
    ...staffReason(batchId, description, by.now),
  }
  const changing =
    order.packTypeId === undefined
      ? changeBalances(tx, change)
      : changeHoldings(tx, order.packTypeId, change)
  const changed = await changing.catch((error) => refuseOverflow(error, order))
  await recordGrant(tx, by, order, { people, changed, batchId })
  const only = order.target.kind === 'all' ? undefined : onlyOne(people)
  const changedTotal = changed.reduce((sum, { delta }) => sum + delta, 0)
  // Of everyone reached together; for one user that is the balance or the holding.
  const totalAfter = changed.reduce((sum, { after }) => sum + after, 0)
  return {
    answer: answer(grantedBy(order, granted, people, changed, only?.username)),
    audit: {
      action: `${order.packTypeId === undefined ? 'redcoin' : 'packs'}.distribute`,
      targetType: only === undefined ? 'users' : 'user',
      targetId: only === undefined ? null : String(only.id),
      before: { total: totalAfter - changedTotal },
      after: {
        total: totalAfter,
        packTypeId: order.packTypeId ?? null,
        amount: order.amount,
        users: changed.length,
        changed: changedTotal,
      },
      reason: order.description,
      batchId,
    },
    events: reachedUsers(changed.map(({ userId }) => userId)),
  }
}

async function grantedName(tx: Queryable, packTypeId: number | undefined): Promise<string> {
  if (packTypeId === undefined) return 'RedCoin'
  const name = await packTypeName(tx, packTypeId, true)
  if (name === undefined) throw new DomainError('not_found', 'Pack type not found')
  return `${name} pack(s)`
}

function onlyOne({ recipients }: Reached) {
  return recipients.length === 1 ? recipients[0] : undefined
}

function grantedBy(
  order: Distribution,
  granted: string,
  people: Reached,
  changed: readonly Changed[],
  username: string | undefined,
): Granted {
  const single = username === undefined ? undefined : changed[0]
  const removed = order.amount < 0 ? changed.reduce((sum, { delta }) => sum - delta, 0) : 0
  const whom = username ?? `${numberText(changed.length)} users`
  const message =
    order.amount < 0
      ? `Removed ${numberText(removed)} ${granted} from ${whom}`
      : `Distributed ${numberText(order.amount)} ${granted} to ${whom}`
  const after = single?.after ?? null
  const errors = people.errors.map(({ username, reason }) => ({ username, reason }))
  return {
    message,
    processedCount: changed.length,
    username: username ?? null,
    after,
    removed,
    errors,
  }
}

/** A balance or holding that would leave its range is the request's fault. */
function refuseOverflow(error: unknown, { packTypeId }: Distribution): never {
  const state = sqlState(error)
  if (state === '23514' || state === '22003') {
    const what = packTypeId === undefined ? 'Amount' : 'Quantity'
    throw new DomainError('invalid_input', `${what} is too large`)
  }
  throw error
}

/** More users than this are told of as everybody: a grant to 100,000 is no 200,000 events. */
const namedMax = 200

/** What the screens of everyone who was reached have to look at again. */
export function reachedUsers(userIds: readonly number[]): ProductEvent[] {
  if (userIds.length === 0) return []
  if (userIds.length > namedMax) {
    return [{ type: 'everybody_changed' }, { type: 'leaderboard_changed' }]
  }
  const ofUsers = userIds.flatMap((userId): ProductEvent[] => [
    { type: 'user_changed', userId },
    { type: 'holdings_changed', userId },
  ])
  return [...ofUsers, { type: 'leaderboard_changed' }]
}
