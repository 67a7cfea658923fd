// Adds and removes what staff note about users.

import type { World } from '../../adapters/world.ts'
import { Refusal } from '../../rules/refusal.ts'
import type { StaffMember } from '../../rules/staff-call.ts'
import { recordStaffAction } from '../audit/tables.ts'
import { deleteNote, insertNote } from './tables.ts'

/**
 * Answers the id of the new note. The log of staff actions names the note and not its text, so that
 * removing a note, or the person, leaves nothing of it.
 * @throws Refusal not_found when there is no such user
 */
export async function addNote(
  world: World,
  { actorId, requestId }: StaffMember,
  userId: number,
  body: string,
): Promise<number> {
  const now = world.clock.now()
  return world.db.transaction(async (tx) => {
    const noteId = await insertNote(tx, { userId, authorId: actorId, body }, now)
    if (noteId === undefined) throw new Refusal('not_found', 'User not found')
    await recordStaffAction(tx, {
      actorId,
      action: 'note.add',
      targetType: 'user',
      targetId: String(userId),
      after: { noteId },
      requestId,
      now,
    })
    return noteId
  })
}

/** @throws Refusal not_found when there is no such note */
export async function removeNote(
  world: World,
  { actorId, requestId }: StaffMember,
  noteId: number,
): Promise<void> {
  const now = world.clock.now()
  await world.db.transaction(async (tx) => {
    const userId = await deleteNote(tx, noteId)
    if (userId === undefined) throw new Refusal('not_found', 'Note not found')
    await recordStaffAction(tx, {
      actorId,
      action: 'note.remove',
      targetType: 'user',
      targetId: String(userId),
      before: { noteId },
      requestId,
      now,
    })
  })
}
