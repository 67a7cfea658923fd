// Brings a database to this program's schema. A newer one is refused, unless all later migrations
// only add to it.

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Database, type Queryable, statement } from './database.ts'
import { sqlState } from './retry.ts'

export interface Migration {
  readonly version: number
  readonly name: string
  readonly sql: string
  readonly checksum: string
  /** Whether programs that do not know it can go on with what it leaves behind. */
  readonly change: SchemaChange
}

/** One that only adds leaves older programs running; one that takes away refuses them. */
export type SchemaChange = 'expand' | 'contract'

type Applied = Pick<Migration, 'version' | 'name' | 'checksum' | 'change'>

/** The database was written by a later version of the program, or by something else. */
export class IncompatibleDatabase extends Error {}

// Any constant will do; it only has to be the same in every process of the product.
const migrationLock = 7_330_110
/** A step over the largest table may take long; others wait for it as well. */
const statementMillisMax = 3_600_000
const lockTimeout = '55P03'
/** Of those that meet a locked table: ten minutes, with the waits between them. */
const attemptsMax = 300
const betweenAttemptsMillis = 1_000

const createLog = statement(
  'create_migration_log',
  `CREATE TABLE IF NOT EXISTS schema_migrations (
    version integer PRIMARY KEY,
    name text NOT NULL,
    checksum text NOT NULL,
    change text NOT NULL CHECK (change IN ('expand', 'contract')),
    applied_at timestamptz NOT NULL DEFAULT now()
  )`,
)
const takeLock = statement('take_migration_lock', 'SELECT pg_advisory_xact_lock($1)')
// Another process may be migrating for long.
const patience = statement('migration_patience', 'SET LOCAL lock_timeout = 0')
// Whoever asks for a table that a migration waits for has to wait behind it.
const impatience = statement('migration_impatience', "SET LOCAL lock_timeout = '1s'")
const readLog = statement(
  'read_migration_log',
  'SELECT version, name, checksum, change FROM schema_migrations ORDER BY version',
)
const addToLog = statement(
  'add_to_migration_log',
  'INSERT INTO schema_migrations (version, name, checksum, change) VALUES ($1, $2, $3, $4)',
)

const saysContract = /^-- contract: /m

/**
 * Reads `NNNN_name.sql` files in order. One with a line `-- contract: WHY` takes something away
 * that the program before it used.
 * @throws when a number is missing or stands twice */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async (file, index) => {
      const version = Number(file.slice(0, 4))
      if (version !== index + 1) throw new Error(`Migration ${file} is out of sequence`)
      const sql = await readFile(join(folder, file), 'utf8')
      const checksum = createHash('sha256').update(sql).digest('hex')
      const change = saysContract.test(sql) ? 'contract' : 'expand'
      return { version, name: file.replace(/\.sql$/, ''), sql, checksum, change }
    }),
  )
}

/**
 * Applies what is missing in one transaction, under a lock that makes other processes wait. Where a
 * table is in use it lets others through before it tries again. Answers the versions applied now.
 * @throws IncompatibleDatabase when the database was changed, or is newer and lacks what this
 * program uses; nothing is touched then
 */
export async function migrate(
  db: Database,
  migrations: readonly Migration[],
  /** Looks at the result before anything is committed; what it throws undoes the migrations. */
  admit: (tx: Queryable) => Promise<void> = async () => undefined,
): Promise<number[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.longTransaction(statementMillisMax, async (tx) => {
        const applied = await migrateWithin(tx, migrations)
        await admit(tx)
        return applied
      })
    } catch (error) {
      if (sqlState(error) !== lockTimeout || attempt === attemptsMax) throw error
      await setTimeout(betweenAttemptsMillis)
    }
  }
}

/** The same inside a transaction that is open already. */
export async function migrateWithin(
  tx: Queryable,
  migrations: readonly Migration[],
): Promise<number[]> {
  await tx.run(patience, [])
  await tx.run(takeLock, [migrationLock])
  await tx.run(impatience, [])
  await tx.run(createLog, [])
  const applied = await tx.run<Applied>(readLog, [])
  refuseIncompatible(applied, migrations)
  const missing = migrations.slice(applied.length)
  for (const migration of missing) await apply(tx, migration)
  return missing.map((migration) => migration.version)
}

/**
 * A newer database is all right when each migration that this program does not know only adds:
 * while a release is rolled out, a process of the release before may have to start again.
 */
function refuseIncompatible(applied: readonly Applied[], known: readonly Migration[]): void {
  const tooNew = applied.slice(known.length).find(({ change }) => change !== 'expand')
  if (tooNew !== undefined) {
    throw new IncompatibleDatabase(
      `The database is newer than this program: it is at ${applied.at(-1)?.name}, ` +
        `this program knows up to ${known.at(-1)?.name ?? 'nothing'}, ` +
        `and ${tooNew.name} took away what it uses. Start the newer program.`,
    )
  }
  for (const [index, migration] of known.entries()) {
    const row = applied[index]
    if (row !== undefined && row.checksum !== migration.checksum) {
      throw new IncompatibleDatabase(
        `The database was migrated by other scripts than this program's: ${row.name} differs.`,
      )
    }
  }
}

async function apply(tx: Queryable, migration: Migration): Promise<void> {
  for (const [index, text] of splitStatements(migration.sql).entries()) {
    await tx.run(statement(`${migration.name}_${index}`, text), [])
  }
  const { version, name, checksum, change } = migration
  await tx.run(addToLog, [version, name, checksum, change])
}

/**
 * Splits a script at semicolons that end a line outside `$$` bodies, as our migrations are written.
 */
export function splitStatements(sql: string): string[] {
  const statements: string[] = []
  let current: string[] = []
  let insideBody = false
  for (const line of sql.split('\n')) {
    if (current.length === 0 && (line.trim() === '' || line.startsWith('--'))) continue
    current.push(line)
    if ((line.match(/\$\$/g)?.length ?? 0) % 2 === 1) insideBody = !insideBody
    if (!insideBody && line.trimEnd().endsWith(';')) {
      statements.push(current.join('\n'))
      current = []
    }
  }
  if (current.length > 0) statements.push(current.join('\n'))
  return statements
}
