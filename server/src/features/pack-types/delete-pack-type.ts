// Deletes a pack type that nothing uses, and brings a deleted one back.

import type { World } from '../../adapters/world.ts'
import { Refusal } from '../../rules/refusal.ts'
import type { StaffCall } from '../../rules/staff-call.ts'
import {
  archivePackType,
  lockPackType,
  type PackTypeUses,
  packTypeUses,
  restorePackType,
} from './tables.ts'
import {
  announcePackTypes,
  lockLivePackType,
  packTypeAnswer,
  recordPackTypeChange,
} from './write-pack-type.ts'

const shown = new Intl.NumberFormat('en')

/**
 * Takes a pack type out of every list. Its row stays for past openings and purchases, and so that
 * the deletion can be undone.
 * @throws Refusal not_found, in_use while packs of it are held, sold, or given by a stream or prize
 */
export async function deletePackType(world: World, staff: StaffCall, id: number): Promise<void> {
  const now = world.clock.now()
  await world.db.transaction(async (tx) => {
    const before = await lockLivePackType(tx, id)
    const use = firstUse(await packTypeUses(tx, id))
    if (use !== undefined) throw new Refusal('in_use', `This pack type is in use: ${use}`)
    await archivePackType(tx, id, now)
    const after = { ...before, isArchived: true }
    await recordPackTypeChange(tx, staff, 'delete', { before, after, now })
  })
  announcePackTypes(world)
}

function firstUse({ heldPacks, listings, streams, prizes }: PackTypeUses): string | undefined {
  if (heldPacks > 0) return `users hold ${shown.format(heldPacks)} unopened pack(s) of it`
  if (listings > 0) return `${shown.format(listings)} active listing(s) sell it`
  if (streams > 0) return `${shown.format(streams)} stream(s) reward it`
  if (prizes > 0) return `${shown.format(prizes)} prize(s) come with it`
  return undefined
}

/** Undoes a deletion. @throws Refusal not_found, wrong_state when the pack type is not deleted */
export async function undeletePackType(world: World, staff: StaffCall, id: number) {
  const now = world.clock.now()
  const row = await world.db.transaction(async (tx) => {
    const before = await lockPackType(tx, id)
    if (before === undefined) throw new Refusal('not_found', 'Pack type not found')
    if (!before.isArchived) throw new Refusal('wrong_state', 'This pack type is not deleted')
    const after = await restorePackType(tx, id, now)
    await recordPackTypeChange(tx, staff, 'restore', { before, after, now })
    return after
  })
  announcePackTypes(world)
  return packTypeAnswer(row)
}
