// What staff have noted about a user.

import type { StaffNote } from '@redpack/contract'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { DomainError, invariant } from '../../shared/domain-error.ts'

const columns = 'n.id, n.body, n.created_at, u.id AS author_id, u.username, u.display_name'
const readOfUser = statement(
  'read_notes_of_user',
  `SELECT ${columns} FROM users about
   LEFT JOIN staff_notes n ON n.user_id = about.id
   LEFT JOIN users u ON u.id = n.author_id
   WHERE about.id = $1 AND about.deleted_at IS NULL ORDER BY n.id DESC LIMIT 200`,
)
const readOne = statement(
  'read_note',
  `SELECT ${columns} FROM staff_notes n JOIN users u ON u.id = n.author_id WHERE n.id = $1`,
)

interface NoteRow {
  readonly id: number | null
  readonly body: string
  readonly created_at: Date
  readonly author_id: number
  readonly username: string
  readonly display_name: string
}

function noteFrom({ id, ...row }: NoteRow): StaffNote[] {
  if (id === null) return []
  const author = { id: row.author_id, username: row.username, displayName: row.display_name }
  return [{ id, body: row.body, createdAt: row.created_at.toISOString(), author }]
}

/** The latest 200 notes, newest first. @throws DomainError not_found when there is no such user */
export async function notesOf(db: Queryable, userId: number): Promise<StaffNote[]> {
  const rows = await db.run<NoteRow>(readOfUser, [userId])
  if (rows.length === 0) throw new DomainError('not_found', 'User not found')
  return rows.flatMap(noteFrom)
}

/** A note that was just written. */
export async function noteById(db: Queryable, noteId: number): Promise<StaffNote> {
  const [note] = (await db.run<NoteRow>(readOne, [noteId])).flatMap(noteFrom)
  invariant(note !== undefined, 'a written note can be read')
  return note
}
