// Commands as the edge runs them, for tests that race them without HTTP.

import { type CommandCall, runCommand } from '../src/adapters/commands/run-command.ts'
import type { Queryable } from '../src/adapters/db/database.ts'
import type { Deps } from '../src/adapters/deps.ts'
import { recordStaffAction } from '../src/features/audit/tables.ts'
import * as batches from '../src/features/grants/batches.ts'
import { type BulkOrder, fingerprintOf, readOrder } from '../src/features/grants/batches.ts'
import type { Distribution, Granted } from '../src/features/grants/distribute.ts'
import * as grants from '../src/features/grants/distribute.ts'
import { changeBalance } from '../src/features/ledger/ledger-tables.ts'
import * as purchases from '../src/features/packs/purchase-packs.ts'
import type { PurchaseOrder } from '../src/features/packs/purchase-tables.ts'
import * as blocks from '../src/features/people/user-changes.ts'
import type { StaffMember } from '../src/shared/staff-call.ts'

export type StaffCall = Omit<CommandCall, 'input'>

let granted = 0
/** RedCoin that staff give somebody, or take with a negative amount. */
export function grantCoins(tx: Queryable, userId: number, now: Date, amount = 5) {
  granted += 1
  const type = amount > 0 ? 'admin_grant' : 'admin_removal'
  const source = { sourceType: 'test', sourceId: String(granted) }
  return changeBalance(tx, { userId, amount, type, description: '', ...source, now })
}

const through = (deps: Deps) => ({ deps, recordAction: recordStaffAction })

export function distribute<Answer>(
  deps: Deps,
  staff: StaffCall,
  order: Distribution,
  answer: (granted: Granted) => Answer,
) {
  return runCommand(through(deps), { ...staff, input: order }, (tx, by) =>
    grants.distribute(tx, by, order, deps.random.uuidInOrder(), answer),
  )
}

export async function applyBatch(deps: Deps, staff: StaffCall, order: BulkOrder) {
  const rows = readOrder(order)
  return runCommand(through(deps), { ...staff, input: fingerprintOf(order) }, (tx, by) =>
    batches.applyBatch(tx, by, order, rows, deps.random.uuidInOrder()),
  )
}

export function reverseBatch(deps: Deps, staff: StaffCall, batchId: string) {
  return runCommand(through(deps), { ...staff, input: batchId }, (tx, by) =>
    batches.reverseBatch(tx, by, batchId, deps.random.uuidInOrder()),
  )
}

export function takeFromAll(deps: Deps, staff: StaffCall, what: 'redcoin' | 'packs') {
  return runCommand(through(deps), { ...staff, input: what }, (tx, by) =>
    grants.takeFromAll(tx, by, what, deps.random.uuidInOrder()),
  )
}

export function purchasePacks(
  deps: Deps,
  userId: number,
  { idempotencyKey, ...order }: PurchaseOrder & { readonly idempotencyKey?: string | undefined },
) {
  const route = 'POST /api/store/purchase'
  const call = { actorId: userId, requestId: 'test', route, idempotencyKey, input: order }
  return runCommand(through(deps), call, (tx, by) => purchases.purchasePacks(tx, by, order))
}

export function blockEarning(
  deps: Deps,
  { userId, ...staff }: StaffMember & { readonly userId: number },
  isBlocked: boolean,
  reason: string,
) {
  const change = { userId, isBlocked, reason }
  const call = { ...staff, route: 'PUT', idempotencyKey: undefined, input: change }
  return runCommand(through(deps), call, (tx, by) =>
    blocks.blockEarning(tx, by, deps.encryption, change),
  )
}
