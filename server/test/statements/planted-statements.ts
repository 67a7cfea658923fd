// Statements with a fault each, and some without: the check of statements must find the former.

import { type Queryable, statement } from '../../src/adapters/db/database.ts'
import { rowQuery, rowsQuery, valueQuery, writeQuery } from '../../src/adapters/db/queries.ts'

const users = `SELECT id, username, email, created_at AS "createdAt", notifications
  FROM users WHERE id = $1`
const sound = statement('planted_sound', users)
const misspelt = statement('planted_misspelt', users)
const missing = statement('planted_missing', 'SELECT id FROM users')
const superfluous = statement('planted_superfluous', 'SELECT id, username FROM users')
const wrongType = statement('planted_wrong_type', 'SELECT id, created_at AS at FROM users')
const bigNumber = statement('planted_big_number', 'SELECT sum(red_coin_balance) AS sum FROM users')
const nullable = statement('planted_nullable', 'SELECT email FROM users')
const proven = statement(
  'planted_proven',
  `-- not null: email (see WHERE)
  SELECT email FROM users WHERE email IS NOT NULL`,
)
const tooMany = statement('planted_too_many', 'SELECT id FROM users WHERE id = $1')
const wrongValue = statement('planted_wrong_value', 'SELECT id FROM users WHERE username = $1')
const named = statement('planted_named', 'SELECT id FROM users WHERE id = :id AND role = :role')
const broken = statement('planted_broken', 'SELECT nothing FROM users')
const inTable = { one: statement('planted_one', 'SELECT id FROM users') } as const
const inferred = statement('planted_inferred', 'SELECT username AS id FROM users')
const handedOn = statement('planted_handed_on', 'SELECT id FROM users WHERE id = ANY($1::int[])')
const spread = statement('planted_spread', 'SELECT id FROM users WHERE id = $1 AND role = $2')
const neverRun = statement('planted_never_run', 'SELECT 1 AS one')

rowsQuery<{ id: number }, [username: string]>(
  'planted_query_sound',
  'SELECT id FROM users WHERE username = $1',
)
rowQuery<{ id: string }>('planted_query_row', 'SELECT id FROM users')
valueQuery<{ id: number }, [username: Date]>(
  'planted_query_values',
  'SELECT id FROM users WHERE username = $1',
)
writeQuery<[id: number, role: string]>('planted_query_count', 'DELETE FROM users WHERE id = $1')
writeQuery<[{ id: number; roll: string }]>(
  'planted_query_named',
  'DELETE FROM users WHERE id = :id AND role = :role',
)

interface User {
  readonly id: number
  readonly username: string
  readonly email: string | null
  readonly createdAt: Date
  readonly notifications: { readonly email: boolean }
}

async function find<Row>(db: Queryable, query: typeof sound, ids: readonly number[]) {
  return db.run<Row>(query, [ids])
}

async function infer(db: Queryable): Promise<{ id: number }[]> {
  return db.run(inferred, [])
}

/** Runs them as the product would; never called. */
export async function runPlanted(db: Queryable, made: string): Promise<unknown> {
  const pair = [1, 'user', 'more'] as const
  await db.run<User>(sound, [1])
  await db.run<Omit<User, 'username'> & { readonly usrename: string }>(misspelt, [1])
  await db.run<{ id: number; username: string }>(missing, [])
  await db.run<{ id: number }>(superfluous, [])
  await db.run<{ id: string; at: string }>(wrongType, [])
  await db.run<{ sum: number }>(bigNumber, [])
  await db.run<{ email: string }>(nullable, [])
  await db.run<{ email: string }>(proven, [])
  await db.run<{ id: number }>(tooMany, [1, 2])
  await db.run<{ id: number }>(wrongValue, [new Date(0)])
  await db.run<{ id: number }>(named, { id: 1, roll: 'user' })
  await db.run<{ nothing: number }>(broken, [])
  await db.run<{ id: Date }>(inTable.one, [])
  await infer(db)
  await find<{ id: string }>(db, handedOn, [1])
  await db.run<{ id: number }>(spread, [...pair])
  await db.run(statement(made, 'SELECT 1 AS one'), [])
  return neverRun
}
