// Takes a Discord server off the whitelist; its open messages can no longer be claimed.

import type { World } from '../../adapters/world.ts'
import { Refusal } from '../../rules/refusal.ts'
import type { StaffMember } from '../../rules/staff-call.ts'
import { recordStaffAction } from '../audit/tables.ts'
import { removeServerRow } from './server-tables.ts'

const rowIdMax = 2_147_483_647

/** @throws Refusal not_found */
export async function removeServer(
  world: World,
  staff: StaffMember,
  /** Row number or Discord's id of the server. */
  id: string,
): Promise<void> {
  const isRowId = /^[1-9]\d{0,9}$/.test(id) && Number(id) <= rowIdMax
  await world.db.transaction(async (tx) => {
    const removed = await removeServerRow(tx, isRowId ? Number(id) : undefined, id)
    if (removed === undefined) throw new Refusal('not_found', 'Discord server not found')
    await recordStaffAction(tx, {
      ...staff,
      action: 'discord_server.remove',
      targetType: 'discord_server',
      targetId: removed.serverId,
      before: removed,
      now: world.clock.now(),
    })
  })
}
