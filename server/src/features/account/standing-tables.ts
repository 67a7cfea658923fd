// The SQL of how somebody stands: the name that is shown of them, suspensions, and the words that
// new names are looked through for.

import { lockSetting, readSetting } from '../../adapters/db/app-settings.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import { existsQuery, writeQuery } from '../../adapters/db/queries.ts'
import { wordInNames } from '../../shared/name-words.ts'
import { type StaffAction, targetOf } from '../../shared/staff-call.ts'
import { isSuspended } from '../../shared/standing-sql.ts'
import { lockAccountRow } from './tables.ts'

/** Shows a name in place of the person's own; whoever judged it has judged the flag too. */
export const putShownName = writeQuery<
  [userId: number, shown: string, isFlagged: boolean, now: Date]
>(
  'put_shown_name',
  `UPDATE users SET own_name = coalesce(own_name, display_name), display_name = $2,
     is_name_flagged = $3, updated_at = $4
   WHERE id = $1`,
)

/** Shows the person's own name again, and takes the flag off. */
export const restoreOwnName = writeQuery<[userId: number, now: Date]>(
  'restore_own_name',
  `UPDATE users SET display_name = coalesce(own_name, display_name), own_name = NULL,
     is_name_flagged = false, updated_at = $2
   WHERE id = $1`,
)

const flagName = writeQuery<[userId: number]>(
  'flag_name',
  'UPDATE users SET is_name_flagged = true WHERE id = $1',
)

/** The name of somebody whose own is hidden. */
export function hiddenName(userId: number): string {
  return `Viewer ${userId}`
}

export interface NameWords {
  readonly words: string[]
  readonly hidesAtOnce: boolean
}

const noWords: NameWords = { words: [], hidesAtOnce: false }

/** The words that are saved; none as long as nothing is. */
export async function readNameWords(db: Queryable): Promise<NameWords> {
  return ((await readSetting(db, 'name_words')) as NameWords | undefined) ?? noWords
}

/** The same, for whoever is about to write others. */
export async function lockNameWords(tx: Queryable, now: Date): Promise<NameWords> {
  return (await lockSetting(tx, 'name_words', JSON.stringify(noWords), now)) as NameWords
}

/**
 * Looks through the new names of somebody: flags them for staff, and hides them where the operator
 * says so. Answers what to record of a hiding.
 */
export async function judgeNewNames(
  tx: Queryable,
  userId: number,
  now: Date,
): Promise<StaffAction | undefined> {
  const { words, hidesAtOnce } = await readNameWords(tx)
  if (words.length === 0) return undefined
  const person = await lockAccountRow(tx, userId)
  if (person === undefined || person.isProtected) return undefined
  const names = [person.username, person.twitchName, person.ownName ?? person.displayName]
  const word = wordInNames(
    words,
    names.filter((name) => name !== null),
  )
  if (word === undefined) return undefined
  if (!hidesAtOnce || person.ownName !== null) {
    await flagName(tx, userId)
    return undefined
  }
  const shown = hiddenName(userId)
  await putShownName(tx, userId, shown, true, now)
  return {
    actorId: null,
    action: 'name.hide',
    ...targetOf('user', userId),
    before: { shownName: null },
    after: { shownName: shown },
    reason: `Has a word of the list: ${word}`,
    requestId: null,
    now,
  }
}

/** Suspends somebody; what they answered to an earlier suspension is gone. */
export const putSuspension = writeQuery<[userId: number, until: Date, reason: string, now: Date]>(
  'put_suspension',
  `UPDATE users SET suspended_until = $2, suspension_reason = $3, suspension_answer = NULL,
     updated_at = $4
   WHERE id = $1`,
)

export const clearSuspension = writeQuery<[userId: number, now: Date]>(
  'clear_suspension',
  `UPDATE users SET suspended_until = NULL, suspension_reason = NULL, suspension_answer = NULL,
     updated_at = $2
   WHERE id = $1`,
)

/** Keeps somebody's answer; false when they are not suspended now, or have answered. */
export const putSuspensionAnswer = existsQuery<[userId: number, text: string, now: Date]>(
  'put_suspension_answer',
  `UPDATE users SET suspension_answer = $2
   WHERE id = $1 AND deleted_at IS NULL AND suspension_answer IS NULL
     AND ${isSuspended('users', '$3')} RETURNING id`,
)
