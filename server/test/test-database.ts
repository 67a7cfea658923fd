// Databases for tests: embedded ones cloned from a migrated dump, and ones on PostgreSQL, which
// costs half of the time.

import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite, types } from '@electric-sql/pglite'
import pg from 'pg'
import { type Database, type Statement, statement } from '../src/adapters/db/database.ts'
import { wrapEmbedded } from '../src/adapters/db/embedded.ts'
import { migrate, readMigrations } from '../src/adapters/db/migrate.ts'
import { openPostgres } from '../src/adapters/db/postgres.ts'
import { everyday } from './everyday.ts'
import { testPostgresUrl } from './test-services.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const migrationsFolder = join(root, 'server/migrations')
const cacheFolder = join(root, 'node_modules/.cache/redpack')
const embedded = {
  parsers: { [types.INT8]: Number },
  // A start writes to all of them: half of what making a database takes goes into the usual 128 MB.
  startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'],
}

/**
 * A migrated embedded database in memory. The first one of a machine also leaves a dump to clone.
 */
export async function embeddedTestDatabase(): Promise<Database> {
  const migrations = await readMigrations(migrationsFolder)
  const schema = createHash('sha256').update(migrations.map(({ checksum }) => checksum).join())
  const file = join(cacheFolder, `schema-1mb-wal-${schema.digest('hex')}.tar`)
  const dump = await readFile(file).catch(() => undefined)
  if (dump !== undefined) {
    const loadDataDir = new Blob([dump])
    return wrapEmbedded(await PGlite.create({ ...embedded, loadDataDir }))
  }
  // Two segments of the log at their usual 16 MB would be more than all the rest of the dump.
  const lite = await PGlite.create({ ...embedded, initDbStartParams: ['--wal-segsize=1'] })
  const db = wrapEmbedded(lite)
  await migrate(db, migrations)
  const fresh = await lite.dumpDataDir('none')
  await mkdir(cacheFolder, { recursive: true })
  const temporary = `${file}.${process.pid}`
  await writeFile(temporary, Buffer.from(await fresh.arrayBuffer()))
  await rename(temporary, file)
  return db
}

interface KeptDatabase {
  readonly db: Database
  /** What its tables, rules and triggers were when it was made. */
  readonly shape: string
}

/** Each takes hundreds of megabytes, or a few connections. */
const freeMax = 2
const free = { embedded: [] as KeptDatabase[], postgres: [] as KeptDatabase[] }

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
const emptyEverything = statement(
  'test_empty',
  `DO $$ DECLARE used record; BEGIN
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
END $$`,
)

/**
 * Runs it on an open connection: a script has one of its own on PostgreSQL, which costs ten times
 * as much. A script may take longer.
 */
async function runQuickly(db: Database, made: Statement): Promise<void> {
  await db.run(made, []).catch(() => db.script(made.text))
}

/** Removes every row of every table. Ids go on counting, so nothing cached can be mistaken. */
export const emptyDatabase = (db: Database) => runQuickly(db, emptyEverything)

/** Lets ids count from one again; what was deleted is given back, and the log begins anew. */
const restartCounting = statement(
  'test_restart_counting',
  // `ALTER SEQUENCE` would write a file for each of them.
  'SELECT count(setval(seqrelid, seqstart, false)) FROM pg_sequence',
)
const vacuum = statement('test_vacuum', 'VACUUM')

/**
 * An empty migrated database that a test file used before, or a new one: on PostgreSQL each day
 * where it can be reached, embedded otherwise and under `npm run test:faults`.
 */
export async function emptyTestDatabase(): Promise<Database> {
  const isEmbedded = everyday(false, true) || !hasPostgres
  return isEmbedded ? emptyEmbeddedDatabase() : keptDatabase(free.postgres, ownPostgresDatabase)
}

/** The same, embedded on every machine. */
export const emptyEmbeddedDatabase = () => keptDatabase(free.embedded, embeddedTestDatabase)

/**
 * Making a database takes longer than most test files, so that closing this one leaves it to the
 * next; one whose tables, rules or triggers were changed is thrown away instead.
 */
async function keptDatabase(
  free: KeptDatabase[],
  make: () => Promise<Database>,
): Promise<Database> {
  const kept = free.pop() ?? (await newDatabase(make))
  return {
    ...kept.db,
    async close() {
      if (free.length < freeMax && (await isLikeNew(kept))) free.push(kept)
      else await kept.db.close()
    },
  }
}

async function newDatabase(make: () => Promise<Database>): Promise<KeptDatabase> {
  const db = await make()
  await emptyDatabase(db)
  return { db, shape: (await shapeOf(db)) ?? '' }
}

/** Empties the database; false when it cannot be used by another test file. */
async function isLikeNew({ db, shape }: KeptDatabase): Promise<boolean> {
  try {
    if ((await shapeOf(db)) !== shape) return false
    await emptyDatabase(db)
    await runQuickly(db, restartCounting)
    await runQuickly(db, vacuum)
    if (db.kind === 'postgres') return true
    // What is prepared stays: the next test file runs the same statements.
    for (const text of ['RESET ALL', 'DISCARD TEMP', 'CHECKPOINT']) await db.script(text)
    return true
  } catch {
    return false
  }
}

/** True when a PostgreSQL server for tests can be reached; races are proven only there. */
export const hasPostgres = await reachPostgres()

async function reachPostgres(): Promise<boolean> {
  const client = new pg.Client({
    connectionString: testPostgresUrl,
    connectionTimeoutMillis: 2_000,
  })
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

function openNamed(name: string, connectionsMax: number): { db: Database; url: string } {
  const { href: url } = Object.assign(new URL(testPostgresUrl), { pathname: `/${name}` })
  return { url, db: openPostgres({ url, connectionsMax, onError: () => undefined }) }
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
    const { db } = openNamed(unfinished, 8)
    try {
      await migrate(db, migrations)
    } finally {
      await db.close()
    }
    // A backend takes a moment to end after its client has gone.
    await endSessions(admin, unfinished)
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

/** A migrated database of this worker, which `admin` keeps others from. */
interface OwnDatabase {
  readonly name: string
  readonly admin: pg.Client
}

/**
 * A database that stays on the server for the test files of later runs, which make it anew: whoever
 * holds the lock with its number has it.
 */
async function makeOwnDatabase(): Promise<OwnDatabase> {
  const admin = new pg.Client({ connectionString: testPostgresUrl })
  await admin.connect()
  const template = await migratedTemplate(admin)
  for (let number = 1; ; number += 1) {
    const { rows } = await admin.query('SELECT pg_try_advisory_lock(7252, $1) AS mine', [number])
    if (!rows[0].mine) continue
    const name = `redpack_suite_${number}`
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}`)
    // Commits are seen by others as ever, and no test ends the server under its database.
    await admin.query(`ALTER DATABASE ${name} SET synchronous_commit = off`)
    return { name, admin }
  }
}

async function ownPostgresDatabase(): Promise<Database> {
  const { name, admin } = await makeOwnDatabase()
  const { db } = openNamed(name, 2)
  return { ...db, close: () => db.close().then(() => admin.end()) }
}

const freeOwn: (OwnDatabase & Pick<KeptDatabase, 'shape'>)[] = []

/**
 * A migrated database on the PostgreSQL server, reached by so many connections at a time; `drop`
 * leaves it to the next test of this worker, unless its tables were changed.
 */
export async function postgresTestDatabase(
  connectionsMax = 8,
): Promise<{ db: Database; url: string; drop: () => Promise<void> }> {
  const own = freeOwn.pop() ?? (await newOwnDatabase())
  const opened = openNamed(own.name, connectionsMax)
  return {
    ...opened,
    async drop() {
      await opened.db.close()
      await endSessions(own.admin, own.name)
      const { db } = openNamed(own.name, 1)
      // One is enough for most tests, and each takes a connection from those that need many.
      const isKept = freeOwn.length === 0 && (await isLikeNew({ db, shape: own.shape }))
      await db.close()
      if (isKept) freeOwn.push(own)
      else await own.admin.end()
    },
  }
}

async function newOwnDatabase(): Promise<(typeof freeOwn)[number]> {
  const own = await makeOwnDatabase()
  const { db } = openNamed(own.name, 1)
  try {
    return { ...own, shape: (await shapeOf(db)) ?? '' }
  } finally {
    await db.close()
  }
}

const endSessions = (admin: pg.Client, name: string) =>
  admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name])
