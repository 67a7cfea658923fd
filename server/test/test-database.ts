// Databases for tests: an embedded one cloned from a migrated dump, and fresh ones on PostgreSQL.

import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite, types } from '@electric-sql/pglite'
import pg from 'pg'
import { type Database, statement } from '../src/adapters/db/database.ts'
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
  const schema = createHash('sha256').update(migrations.map(({ checksum }) => checksum).join())
  const file = join(cacheFolder, `schema-1mb-wal-${schema.digest('hex')}.tar`)
  const dump = await readFile(file).catch(() => undefined)
  if (dump !== undefined) {
    const loadDataDir = new Blob([new Uint8Array(dump)])
    return wrapEmbedded(await PGlite.create({ loadDataDir, parsers }))
  }
  // Two segments of the log at their usual 16 MB would be more than all the rest of the dump.
  const lite = await PGlite.create({ parsers, initDbStartParams: ['--wal-segsize=1'] })
  const db = wrapEmbedded(lite)
  await migrate(db, migrations)
  const fresh = await lite.dumpDataDir('none')
  await mkdir(cacheFolder, { recursive: true })
  const temporary = `${file}.${process.pid}`
  await writeFile(temporary, Buffer.from(await fresh.arrayBuffer()))
  await rename(temporary, file)
  return db
}

interface KeptEngine {
  readonly db: Database
  /** What its tables, rules and triggers were when it was made. */
  readonly shape: string
}

/** Each takes hundreds of megabytes. */
const freeMax = 2
const free: KeptEngine[] = []

/** Tables with columns, rules, triggers and functions, as one short text. */
const shapeText = `SELECT md5(string_agg(part, E'\\n' ORDER BY part)) AS shape FROM (
     SELECT concat_ws(' ', c.oid, c.relname, c.relchecks, c.relhastriggers, a.attname, a.atttypid,
       a.attnotnull, a.attisdropped, pg_get_expr(d.adbin, d.adrelid)) AS part
     FROM pg_class c LEFT JOIN pg_attribute a ON a.attrelid = c.oid
       LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
     WHERE c.relnamespace = 'public'::regnamespace
     UNION ALL SELECT concat_ws(' ', conrelid, conname, convalidated, pg_get_constraintdef(oid))
     FROM pg_constraint WHERE connamespace = 'public'::regnamespace
     UNION ALL SELECT concat_ws(' ', tgrelid, tgname, tgenabled, tgfoid) FROM pg_trigger
     UNION ALL SELECT concat_ws(' ', oid, proname, prosrc) FROM pg_proc
     WHERE pronamespace = 'public'::regnamespace
   ) AS parts`

async function shapeOf(db: Database): Promise<string | undefined> {
  const rows = await db.run<{ shape: string }>(statement('test_shape', shapeText), [])
  return rows[0]?.shape
}

// Emptying a table anew costs files of its own for it and each index, so only what grew large is
// truncated: 250 ms for all 67 tables, against 20 ms for deleting what a test left.
const emptyEverything = `DO $$ DECLARE used record; BEGIN
  -- History refuses to be emptied; a test may.
  PERFORM set_config('session_replication_role', 'replica', true);
  FOR used IN
    SELECT oid::regclass AS name, pg_total_relation_size(oid) AS bytes FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
      AND relname <> 'schema_migrations' AND pg_relation_size(oid) > 0
  LOOP
    IF used.bytes > 1000000 THEN
      EXECUTE format('TRUNCATE %s CASCADE', used.name);
    ELSE
      EXECUTE format('DELETE FROM %s', used.name);
    END IF;
  END LOOP;
END $$`

/** Removes every row of every table. Ids go on counting, so nothing cached can be mistaken. */
export async function emptyDatabase(db: Database): Promise<void> {
  await db.script(emptyEverything)
}

/** Lets ids count from one again; what was deleted is given back, and the log begins anew. */
const restartCounting = `DO $$ DECLARE used record; BEGIN
  FOR used IN SELECT oid::regclass AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'S'
  LOOP
    EXECUTE format('ALTER SEQUENCE %s RESTART', used.name);
  END LOOP;
END $$`

/**
 * An empty migrated database whose engine was used by a test file before, or a new one. Starting
 * an engine takes longer than most test files, so that closing this one leaves it to the next; an
 * engine whose tables, rules or triggers were changed is thrown away instead.
 */
export async function emptyTestDatabase(): Promise<Database> {
  const kept = free.pop() ?? (await newEngine())
  return {
    ...kept.db,
    async close() {
      if (free.length < freeMax && (await isLikeNew(kept))) free.push(kept)
      else await kept.db.close()
    },
  }
}

async function newEngine(): Promise<KeptEngine> {
  const db = await embeddedTestDatabase()
  await emptyDatabase(db)
  return { db, shape: (await shapeOf(db)) ?? '' }
}

/** Empties the engine; false when it cannot be used by another test file. */
async function isLikeNew({ db, shape }: KeptEngine): Promise<boolean> {
  try {
    if ((await shapeOf(db)) !== shape) return false
    await emptyDatabase(db)
    await db.script(restartCounting)
    // What is prepared stays: the next test file runs the same statements.
    for (const text of ['RESET ALL', 'DISCARD TEMP', 'VACUUM', 'CHECKPOINT']) await db.script(text)
    return true
  } catch {
    return false
  }
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

/**
 * The name of a migrated database to copy. The first caller on a server leaves it there: one of
 * 9 MB for each state of the migrations, called redpack_template_ and their hash.
 */
async function migratedTemplate(admin: pg.Client): Promise<string> {
  const migrations = await readMigrations(migrationsFolder)
  const hash = createHash('sha256').update(migrations.map(({ checksum }) => checksum).join())
  const name = `redpack_template_${hash.digest('hex').slice(0, 12)}`
  // Test files that run together ask at once; one of them makes it.
  await admin.query('SELECT pg_advisory_lock(7251)')
  try {
    const found = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
    if (found.rowCount === 1) return name
    const unfinished = `${name}_unfinished`
    await admin.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`)
    await admin.query(`CREATE DATABASE ${unfinished}`)
    const url = new URL(server)
    url.pathname = `/${unfinished}`
    const db = openPostgres({ url: url.href, connectionsMax: 8, onError: () => undefined })
    try {
      await migrate(db, migrations)
    } finally {
      await db.close()
    }
    // A backend takes a moment to end after its client has gone.
    await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
      unfinished,
    ])
    await renameWhenFree(admin, unfinished, name)
    return name
  } finally {
    await admin.query('SELECT pg_advisory_unlock(7251)')
  }
}

const inUse = '55006'

async function renameWhenFree(admin: pg.Client, from: string, to: string): Promise<void> {
  for (let triesLeft = 100; ; triesLeft -= 1) {
    try {
      await admin.query(`ALTER DATABASE ${from} RENAME TO ${to}`)
      return
    } catch (error) {
      if ((error as { code?: string }).code !== inUse || triesLeft === 0) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

/** A migrated database of its own on the PostgreSQL server; `drop` removes it. */
export async function postgresTestDatabase(
  connectionsMax = 8,
): Promise<{ db: Database; url: string; drop: () => Promise<void> }> {
  const name = `redpack_test_${randomBytes(6).toString('hex')}`
  const admin = new pg.Client({ connectionString: server })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${name} TEMPLATE ${await migratedTemplate(admin)}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const db = openPostgres({ url: url.href, connectionsMax, onError: () => undefined })
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
