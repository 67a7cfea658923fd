// A database remembers the keys that sealed its texts. A process that lacks one is refused.

import { commandLine } from '@redpack/contract/command-line'
import { invariant } from '../../shared/domain-error.ts'
import { type Database, type Queryable, statement } from '../db/database.ts'
import { rowsQuery, writeQuery } from '../db/queries.ts'
import type { Encryption } from './encryption.ts'
import { keysInUse } from './sealed-columns.ts'

/** The keys of this process are not those of the database, which is unchanged. */
export class OtherKey extends Error {}

/** Where the key of this process comes from; the refusal names it. */
export type KeySource = 'setting' | 'file'

interface Mark {
  /** A hash of the key, so that whoever has a key of this name has the key. */
  readonly keyId: string
  /** Nobody has the key any more, and it is not asked for. */
  readonly isLost: boolean
}

const readMarks = rowsQuery<Mark>(
  'read_encryption_key_marks',
  'SELECT key_id AS "keyId", is_lost AS "isLost" FROM encryption_keys ORDER BY recorded_at, key_id',
)
const lockMarks = statement(
  'lock_encryption_key_marks',
  'LOCK TABLE encryption_keys IN SHARE ROW EXCLUSIVE MODE',
)
const addMark = writeQuery<[keyId: string]>(
  'add_encryption_key_mark',
  `INSERT INTO encryption_keys (key_id) VALUES ($1)
   ON CONFLICT (key_id) DO UPDATE SET is_lost = false`,
)

/** Nobody has the key any more: starts do not ask for it, and what it sealed stays unreadable. */
export const giveKeyUp = writeQuery<[keyId: string]>(
  'add_lost_encryption_key',
  `INSERT INTO encryption_keys (key_id, is_lost) VALUES ($1, true)
   ON CONFLICT (key_id) DO UPDATE SET is_lost = true`,
)

/** Nothing is sealed with the key any more. */
export const dropMark = writeQuery<[keyId: string]>(
  'remove_encryption_key_mark',
  'DELETE FROM encryption_keys WHERE key_id = $1',
)

/**
 * The keys that the database has a mark of or a text from. A key that sealed something is needed to
 * start, until nothing is sealed with it any more.
 */
export async function keysOfDatabase(db: Queryable) {
  const marks = await readMarks(db)
  const lost = marks.filter(({ isLost }) => isLost).map(({ keyId }) => keyId)
  const known = [...marks.map(({ keyId }) => keyId), ...(await keysInUse(db))]
  return { needed: [...new Set(known)].filter((keyId) => !lost.includes(keyId)), lost }
}

/**
 * Refuses a process that lacks a key the database needs; changes nothing.
 * @throws OtherKey whose message is one line for whoever started the program
 */
export async function refuseOtherKey(
  db: Queryable,
  encryption: Encryption,
  source: KeySource,
): Promise<void> {
  const { needed } = await keysOfDatabase(db)
  const missing = needed.find((keyId) => !encryption.keyIds.includes(keyId))
  if (missing !== undefined) throw new OtherKey(domainError(needed, missing, encryption, source))
}

function domainError(
  needed: readonly string[],
  missing: string,
  { keyId }: Encryption,
  source: KeySource,
): string {
  const ifLost = `; if nobody has it any more: ${commandLine(`reseal --lost ${missing}`)}`
  if (keyId === undefined) {
    return (
      `There is no encryption key, and the database was sealed with ${missing}: ` +
      `set ENCRYPTION_KEY${ifLost}`
    )
  }
  if (needed.includes(keyId)) {
    return (
      `The database holds what the encryption key ${missing} has sealed, which this process does ` +
      `not have: add that key to ENCRYPTION_KEY_PREVIOUS${ifLost}`
    )
  }
  const [what, how] =
    source === 'setting'
      ? ['ENCRYPTION_KEY', 'set that key, or add it to ENCRYPTION_KEY_PREVIOUS']
      : [
          'The key in DATA_DIR/encryption.key',
          'bring that file back, or set ENCRYPTION_KEY to the key it held',
        ]
  return (
    `${what} is not the key that the database was sealed with (it is ${keyId}, the database has ` +
    `${missing}): ${how}${ifLost}`
  )
}

/**
 * Puts the mark of the key that seals from now on beside those that are there. Of several
 * processes that start at once with different keys, the second is refused.
 * @throws OtherKey as `refuseOtherKey` does
 */
export async function rememberKey(
  db: Database,
  encryption: Encryption,
  source: KeySource,
): Promise<void> {
  await db.transaction(async (tx) => {
    const marks = await readMarks(tx)
    if (marks.some(({ keyId, isLost }) => keyId === encryption.keyId && !isLost)) return
    await tx.run(lockMarks, [])
    await refuseOtherKey(tx, encryption, source)
    await putMark(tx, encryption)
  })
}

/** Puts the mark of the key that seals; one that was given up counts again. */
export async function putMark(tx: Queryable, encryption: Encryption): Promise<void> {
  const { keyId } = encryption
  invariant(keyId !== undefined, 'whoever seals has a key')
  await addMark(tx, keyId)
}

/**
 * Forgets the keys with which nothing is sealed, as in a dump of an installation that nobody has
 * used yet: it may go on with another key.
 */
export async function forgetIdleKeys(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    const inUse = await keysInUse(tx)
    const marks = await readMarks(tx)
    for (const { keyId } of marks) if (!inUse.includes(keyId)) await dropMark(tx, keyId)
  })
}
