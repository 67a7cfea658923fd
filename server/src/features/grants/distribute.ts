// Giving packs or RedCoin to one, some or all, and taking them from one.

import type { Queryable } from '../../adapters/db/database.ts'
import { keyedByStaff, type OnceAnswer, once } from '../../adapters/db/once.ts'
import { sqlState } from '../../adapters/db/retry.ts'
import type { World } from '../../adapters/world.ts'
import { Refusal } from '../../rules/refusal.ts'
import type { StaffCall } from '../../rules/staff-call.ts'
import { recordStaffAction } from '../audit/tables.ts'
import type { Granted } from './grant-answers.ts'
import { findRecipients, type GrantTarget, type Reached } from './recipients.ts'
import {
  allowLongBatch,
  type Changed,
  changePacksOfMany,
  changeRedCoinOfMany,
  packTypeName,
} from './tables.ts'

export interface Distribution {
  /** Packs of this type; RedCoin when undefined. */
  readonly packTypeId: number | undefined
  readonly target: GrantTarget
  /** Signed, not 0. A negative amount takes at most what is there. */
  readonly amount: number
  readonly description: string
}

const shown = new Intl.NumberFormat('en')

/**
 * Changes the holdings or balances of everyone the distribution reaches, all or nothing.
 * `answer` makes what is answered, and stored for a repetition.
 * @throws Refusal not_found for an unknown user or pack type, invalid_input when no name is known
 */
export async function distribute<Answer>(
  world: World,
  staff: StaffCall,
  order: Distribution,
  answer: (granted: Granted) => Answer,
): Promise<OnceAnswer<Answer>> {
  const now = world.clock.now()
  const batchId = world.random.uuid()
  let reached: readonly number[] = []
  const call = keyedByStaff(staff, order, now)
  const given = await once(world.db, call, async (tx) => {
    const done = await apply(tx, staff, order, batchId, now)
    reached = done.changed.map(({ userId }) => userId)
    return answer(done.granted)
  }).catch((error) => refuseOverflow(error, order))
  announce(world, reached)
  return given
}

async function apply(
  tx: Queryable,
  staff: StaffCall,
  order: Distribution,
  batchId: string,
  now: Date,
) {
  await allowLongBatch(tx)
  const thing = await nameOfThing(tx, order.packTypeId)
  const people = await findRecipients(tx, order.target)
  const change = {
    userIds: people.recipients.map(({ id }) => id),
    amounts: people.recipients.map(() => order.amount),
    batchId,
    description: order.description === '' ? 'Admin distribution' : order.description,
    now,
  }
  const changed =
    order.packTypeId === undefined
      ? await changeRedCoinOfMany(tx, change)
      : await changePacksOfMany(tx, order.packTypeId, change)
  const only = order.target.kind === 'all' ? undefined : onlyOne(people)
  const changedTotal = changed.reduce((sum, { delta }) => sum + delta, 0)
  // Of everyone reached together; for one user that is the balance or the holding.
  const totalAfter = changed.reduce((sum, { after }) => sum + after, 0)
  await recordStaffAction(tx, {
    actorId: staff.actorId,
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
    requestId: staff.requestId,
    now,
  })
  return { changed, granted: grantedBy(order, thing, people, changed, only?.username) }
}

async function nameOfThing(tx: Queryable, packTypeId: number | undefined): Promise<string> {
  if (packTypeId === undefined) return 'RedCoin'
  const name = await packTypeName(tx, packTypeId, true)
  if (name === undefined) throw new Refusal('not_found', 'Pack type not found')
  return `${name} pack(s)`
}

function onlyOne({ recipients }: Reached) {
  return recipients.length === 1 ? recipients[0] : undefined
}

function grantedBy(
  order: Distribution,
  thing: string,
  people: Reached,
  changed: readonly Changed[],
  username: string | undefined,
): Granted {
  const single = username === undefined ? undefined : changed[0]
  const removed = order.amount < 0 ? -changed.reduce((sum, { delta }) => sum + delta, 0) : 0
  const whom = username ?? `${shown.format(changed.length)} users`
  const message =
    order.amount < 0
      ? `Removed ${shown.format(removed)} ${thing} from ${whom}`
      : `Distributed ${shown.format(order.amount)} ${thing} to ${whom}`
  const after = single?.after ?? null
  const errors = [...people.errors]
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
    throw new Refusal('invalid_input', `${what} is too large`)
  }
  throw error
}

/** Tells the screens of everyone who was reached. */
export function announce(world: World, userIds: readonly number[]): void {
  if (userIds.length === 0) return
  for (const userId of userIds) {
    world.events.publish({ type: 'user_changed', userId })
    world.events.publish({ type: 'holdings_changed', userId })
  }
  world.events.publish({ type: 'leaderboard_changed' })
}
