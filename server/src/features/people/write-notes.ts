// Adds and removes what staff note about users.

import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { deleteNote, insertNote } from './note-tables.ts'

/**
 * Answers the id of the new note. The log of staff actions names the note and not its text, so that
 * removing a note, or the person, leaves nothing of it.
 * @throws DomainError not_found when there is no such user
 */
export async function addNote(
  tx: Queryable,
  { actorId: authorId, now }: Author,
  userId: number,
  body: string,
): Promise<Outcome<number>> {
  const noteId = await insertNote(tx, { userId, authorId, body }, now)
  if (noteId === undefined) throw new DomainError('not_found', 'User not found')
  const target = { targetType: 'user', targetId: String(userId) }
  return { answer: noteId, audit: { action: 'note.add', ...target, after: { noteId } } }
}

/** @throws DomainError not_found when there is no such note */
export async function removeNote(
  tx: Queryable,
  _by: Author,
  noteId: number,
): Promise<Outcome<void>> {
  const userId = await deleteNote(tx, noteId)
  if (userId === undefined) throw new DomainError('not_found', 'Note not found')
  const target = { targetType: 'user', targetId: String(userId) }
  return { answer: undefined, audit: { action: 'note.remove', ...target, before: { noteId } } }
}
