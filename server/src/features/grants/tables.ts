// The SQL of grants: whom they reach, what can be granted, and time enough for everybody.

import { type Queryable, statement } from '../../adapters/db/database.ts'

const statementMillisMax = 120_000

/** Lets the statements of this transaction run for two minutes: a batch may reach every user. */
export async function allowLongBatch(tx: Queryable): Promise<void> {
  await tx.allow(statementMillisMax)
}

const findById = statement(
  'find_recipient_by_id',
  'SELECT id, username FROM users WHERE id = $1 AND deleted_at IS NULL',
)
const findByNames = statement(
  'find_recipients_by_name',
  'SELECT id, username FROM users WHERE username = ANY($1::text[]) AND deleted_at IS NULL',
)
const findAll = statement(
  'find_all_recipients',
  'SELECT id, username FROM users WHERE NOT is_protected AND deleted_at IS NULL ORDER BY id',
)
const grantable = 'SELECT name FROM pack_types WHERE id = $1 AND archived_at IS NULL'
const findPackType = statement('find_pack_type_to_grant', grantable)
const holdPackType = statement('hold_pack_type_to_grant', `${grantable} FOR KEY SHARE`)

export interface Recipient {
  readonly id: number
  readonly username: string
}

export async function recipientById(tx: Queryable, userId: number): Promise<Recipient | undefined> {
  return (await tx.run<Recipient>(findById, [userId]))[0]
}

/** Users whose username matches exactly; a name that several users carry is there several times. */
export function recipientsByName(tx: Queryable, names: readonly string[]): Promise<Recipient[]> {
  return tx.run<Recipient>(findByNames, [names])
}

/** Every user but the protected account. */
export function allRecipients(tx: Queryable): Promise<Recipient[]> {
  return tx.run<Recipient>(findAll, [])
}

/**
 * Name of a pack type that can be granted, or undefined. With `hold` it is not deleted before the
 * transaction ends, so nobody is left with packs that cannot be seen.
 */
export async function packTypeName(
  tx: Queryable,
  packTypeId: number,
  hold: boolean,
): Promise<string | undefined> {
  const rows = await tx.run<{ name: string }>(hold ? holdPackType : findPackType, [packTypeId])
  return rows[0]?.name
}
