// The SQL of staff notes.

import { type Queryable, statement } from '../../adapters/db/database.ts'

const addRow = statement(
  'add_staff_note',
  `INSERT INTO staff_notes (user_id, author_id, body, created_at)
   SELECT id, $2, $3, $4 FROM users WHERE id = $1 AND deleted_at IS NULL FOR KEY SHARE
   RETURNING id`,
)
const removeRow = statement(
  'remove_staff_note',
  'DELETE FROM staff_notes WHERE id = $1 RETURNING user_id AS "userId"',
)

/** Answers the id of the note, or undefined when there is no such user. */
export async function insertNote(
  tx: Queryable,
  note: { readonly userId: number; readonly authorId: number; readonly body: string },
  now: Date,
): Promise<number | undefined> {
  const { userId, authorId, body } = note
  return (await tx.run<{ id: number }>(addRow, [userId, authorId, body, now]))[0]?.id
}

/** Answers whom the note was about, or undefined when there was none. */
export async function deleteNote(tx: Queryable, noteId: number): Promise<number | undefined> {
  return (await tx.run<{ userId: number }>(removeRow, [noteId]))[0]?.userId
}
