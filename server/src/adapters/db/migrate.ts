// Brings a database to the schema this program knows, and refuses one that is newer.

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, type Queryable, statement } from './database.ts'

export interface Migration {
  readonly version: number
  readonly name: string
  readonly sql: string
  readonly checksum: string
}

/** The database was written by a later version of the program, or by something else. */
export class IncompatibleDatabase extends Error {}

// Any constant will do; it only has to be the same in every process of the product.
const migrationLock = 7_330_110
/** A step over the largest table may take long; others wait for it as well. */
const statementMillisMax = 3_600_000

const createLog = statement(
  'create_migration_log',
  `CREATE TABLE IF NOT EXISTS schema_migrations (
    version integer PRIMARY KEY,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
  )`,
)
const takeLock = statement('take_migration_lock', 'SELECT pg_advisory_xact_lock($1)')
const patience = statement('migration_patience', "SET LOCAL lock_timeout = '60s'")
const readLog = statement(
  'read_migration_log',
  'SELECT version, name, checksum FROM schema_migrations ORDER BY version',
)
const addToLog = statement(
  'add_to_migration_log',
  'INSERT INTO schema_migrations (version, name, checksum) VALUES ($1, $2, $3)',
)

/** Reads `NNNN_name.sql` files in order. @throws when a number is missing or stands twice */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async (file, index) => {
      const version = Number(file.slice(0, 4))
      if (version !== index + 1) throw new Error(`Migration ${file} is out of sequence`)
      const sql = await readFile(join(folder, file), 'utf8')
      const checksum = createHash('sha256').update(sql).digest('hex')
      return { version, name: file.replace(/\.sql$/, ''), sql, checksum }
    }),
  )
}

/**
 * Applies what is missing in one transaction, under a lock that makes other processes wait. Answers
 * the versions applied now.
 * @throws IncompatibleDatabase when the database is newer or was changed; nothing is touched then
 */
export async function migrate(db: Database, migrations: readonly Migration[]): Promise<number[]> {
  return db.patient(statementMillisMax, (tx) => migrateWithin(tx, migrations))
}

/** The same inside a transaction that is open already. */
export async function migrateWithin(
  tx: Queryable,
  migrations: readonly Migration[],
): Promise<number[]> {
  await tx.run(patience, [])
  await tx.run(takeLock, [migrationLock])
  await tx.run(createLog, [])
  const applied = await tx.run<{ version: number; name: string; checksum: string }>(readLog, [])
  refuseIncompatible(applied, migrations)
  const missing = migrations.slice(applied.length)
  for (const migration of missing) await apply(tx, migration)
  return missing.map((migration) => migration.version)
}

function refuseIncompatible(
  applied: readonly { version: number; name: string; checksum: string }[],
  known: readonly Migration[],
): void {
  const newest = applied.at(-1)
  if (newest !== undefined && applied.length > known.length) {
    throw new IncompatibleDatabase(
      `The database is newer than this program: it is at ${newest.name}, ` +
        `this program knows up to ${known.at(-1)?.name ?? 'nothing'}. Start the newer program.`,
    )
  }
  for (const [index, row] of applied.entries()) {
    if (known[index]?.checksum !== row.checksum) {
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
  await tx.run(addToLog, [migration.version, migration.name, migration.checksum])
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
