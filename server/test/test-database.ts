// Databases for tests: an embedded one cloned from a migrated dump, and fresh ones on PostgreSQL.

import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite, types } from '@electric-sql/pglite'
import pg from 'pg'
import type { Database } from '../src/adapters/db/database.ts'
import { wrapEmbedded } from '../src/adapters/db/embedded.ts'
import { migrate, readMigrations } from '../src/adapters/db/migrate.ts'
import { openPostgres } from '../src/adapters/db/postgres.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const migrationsFolder = join(root, 'server/migrations')
const cacheFolder = join(root, 'node_modules/.cache/redpack')
const parsers = { [types.INT8]: Number }

/**
 * A migrated embedded database in memory. The first one of a machine also leaves a dump to clone.
 */
export async function embeddedTestDatabase(): Promise<Database> {
  const migrations = await readMigrations(migrationsFolder)
  const name = `schema-${migrations.map(({ checksum }) => checksum.slice(0, 8)).join('-')}.tar`
  const file = join(cacheFolder, name)
  const dump = await readFile(file).catch(() => undefined)
  if (dump !== undefined) {
    return wrapEmbedded(
      await PGlite.create({ loadDataDir: new Blob([new Uint8Array(dump)]), parsers }),
    )
  }
  const lite = await PGlite.create({ parsers })
  const db = wrapEmbedded(lite)
  await migrate(db, migrations)
  const fresh = await lite.dumpDataDir('none')
  await mkdir(cacheFolder, { recursive: true })
  const temporary = `${file}.${process.pid}`
  await writeFile(temporary, Buffer.from(await fresh.arrayBuffer()))
  await rename(temporary, file)
  return db
}

const server = process.env['TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** True when a PostgreSQL server for tests can be reached; races are proven only there. */
export async function isPostgresReachable(): Promise<boolean> {
  const client = new pg.Client({ connectionString: server, connectionTimeoutMillis: 2_000 })
  try {
    await client.connect()
    await client.query('SELECT 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** A migrated database of its own on the PostgreSQL server; `drop` removes it. */
export async function postgresTestDatabase(
  connectionsMax = 8,
): Promise<{ db: Database; url: string; drop: () => Promise<void> }> {
  const name = `redpack_test_${randomBytes(6).toString('hex')}`
  const admin = new pg.Client({ connectionString: server })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const db = openPostgres({ url: url.href, connectionsMax, onError: () => undefined })
  await migrate(db, await readMigrations(migrationsFolder))
  return {
    db,
    url: url.href,
    async drop() {
      await db.close()
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
      await admin.end()
    },
  }
}
