// Migrations run once, in order, whole or not at all, and never on a database from elsewhere.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hasPostgres, postgresTestDatabase } from '../../../test/test-database.ts'
import { migrationsFolder } from '../../paths.ts'
import { type Database, statement } from './database.ts'
import { wrapEmbedded } from './embedded.ts'
import {
  IncompatibleDatabase,
  type Migration,
  migrate,
  readMigrations,
  splitStatements,
} from './migrate.ts'
import { openPostgres } from './postgres.ts'

const migrationOf = (
  version: number,
  sql: string,
  change: Migration['change'] = 'expand',
): Migration => {
  return { version, name: `000${version}_test`, sql, checksum: `sum of ${sql}`, change }
}
const first = migrationOf(1, 'CREATE TABLE a (id integer);\nINSERT INTO a VALUES (1);')
const second = migrationOf(2, 'ALTER TABLE a ADD COLUMN b integer NOT NULL DEFAULT 2;')
const read = <Row>(db: Database, sql: string) => db.run<Row>(statement(`test ${sql}`, sql), [])

describe('migrate', () => {
  let lite: PGlite
  let db: Database

  beforeAll(async () => {
    lite = await PGlite.create()
    db = wrapEmbedded(lite)
  })
  beforeEach(() => db.script('DROP SCHEMA public CASCADE; CREATE SCHEMA public'))
  afterAll(() => lite.close())

  it('applies what is missing in order and answers which that was', async () => {
    expect(await migrate(db, [first])).toEqual([1])
    expect(await migrate(db, [first, second])).toEqual([2])
    expect(await migrate(db, [first, second])).toEqual([])
    expect(await read(db, 'SELECT * FROM a')).toEqual([{ id: 1, b: 2 }])
    expect(await read(db, 'SELECT version, name FROM schema_migrations ORDER BY 1')).toEqual([
      { version: 1, name: '0001_test' },
      { version: 2, name: '0002_test' },
    ])
  })

  it('leaves nothing behind when one of several fails', async () => {
    const broken = migrationOf(2, 'CREATE TABLE c (id integer);\nSELECT 1 / 0;')
    await expect(migrate(db, [first, broken])).rejects.toMatchObject({ code: '22012' })
    expect(await read(db, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).toEqual(
      [],
    )
    expect(await migrate(db, [first, second])).toEqual([1, 2])
  })

  it('lets an older program in when all that came since only adds', async () => {
    const third = migrationOf(3, 'CREATE TABLE d (id integer);')
    await migrate(db, [first, second, third])
    expect(await migrate(db, [first])).toEqual([])
    expect(await read(db, 'SELECT count(*)::int AS n FROM schema_migrations')).toEqual([{ n: 3 }])
    const changed = { ...first, checksum: 'another' }
    await expect(migrate(db, [changed])).rejects.toThrow('0001_test differs')
  })

  it('refuses an older program once something was taken away, and says what', async () => {
    const taking = migrationOf(3, 'ALTER TABLE a DROP COLUMN b;', 'contract')
    const adding = migrationOf(4, 'CREATE TABLE d (id integer);')
    await migrate(db, [first, second, taking, adding])
    for (const known of [[first], [first, second]]) {
      const older = migrate(db, known)
      await expect(older).rejects.toBeInstanceOf(IncompatibleDatabase)
      await expect(older).rejects.toThrow(/newer than this program.*at 0004_test.*and 0003_test/)
    }
    expect(await migrate(db, [first, second, taking])).toEqual([])
    expect(await read(db, 'SELECT count(*)::int AS n FROM schema_migrations')).toEqual([{ n: 4 }])
  })

  it('refuses a database whose migrations were others', async () => {
    await migrate(db, [first])
    const changed = { ...first, checksum: 'another' }
    const attempt = migrate(db, [changed, second])
    await expect(attempt).rejects.toBeInstanceOf(IncompatibleDatabase)
    await expect(attempt).rejects.toThrow('0001_test differs')
    await expect(read(db, 'SELECT b FROM a')).rejects.toMatchObject({ code: '42703' })
  })

  it("applies the product's own migrations to an empty database", async () => {
    const own = await readMigrations(migrationsFolder)
    expect(await migrate(db, own)).toEqual(own.map(({ version }) => version))
    expect(await migrate(db, own)).toEqual([])
  }, 30_000)
})

describe.skipIf(!hasPostgres)('migrate on PostgreSQL', () => {
  it('runs once when three processes start together', async () => {
    const { url, drop } = await postgresTestDatabase()
    const processes = [1, 2, 3].map(() =>
      openPostgres({ url, connectionsMax: 2, onError: () => undefined }),
    )
    await processes[0]!.script('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
    const slow = migrationOf(3, 'SELECT pg_sleep(0.2);')
    const applied = await Promise.all(processes.map((one) => migrate(one, [first, second, slow])))
    expect(applied.map(({ length }) => length).sort()).toEqual([0, 0, 3])
    expect(await read(processes[1]!, 'SELECT * FROM a')).toEqual([{ id: 1, b: 2 }])
    await Promise.all(processes.map((one) => one.close()))
    await drop()
  }, 30_000)

  it('waits for whoever reads without holding up others who read', async () => {
    const { url, drop } = await postgresTestDatabase()
    const db = openPostgres({ url, connectionsMax: 4, onError: () => undefined })
    await db.script('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
    await migrate(db, [first])
    let applied: Promise<number[]> | undefined
    await db.longTransaction(60_000, async (tx) => {
      await tx.run(statement('held_a', 'SELECT * FROM a'), [])
      applied = migrate(db, [first, second])
      const waiting = statement(
        'who_waits',
        `SELECT pid FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      await expect.poll(() => db.run(waiting, [])).toHaveLength(1)
      expect(await read(db, 'SELECT * FROM a')).toEqual([{ id: 1 }])
    })
    expect(await applied).toEqual([2])
    await db.close()
    await drop()
  }, 30_000)
})

describe('readMigrations', () => {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'migrations-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('reads scripts in the order of their numbers and nothing else', async () => {
    const more = '-- More.\n-- contract: nothing reads it since the release before.\n\nSELECT 2;'
    await writeFile(join(folder, '0002_more.sql'), more)
    await writeFile(join(folder, '0001_start.sql'), 'SELECT 1;')
    await writeFile(join(folder, 'README.md'), 'no script')
    const migrations = await readMigrations(folder)
    expect(migrations.map(({ version, name, sql }) => [version, name, sql])).toEqual([
      [1, '0001_start', 'SELECT 1;'],
      [2, '0002_more', more],
    ])
    expect(migrations.map(({ change }) => change)).toEqual(['expand', 'contract'])
    expect(migrations[0]!.checksum).toMatch(/^[0-9a-f]{64}$/)
    expect(migrations[0]!.checksum).not.toBe(migrations[1]!.checksum)
  })

  it.each([[['0002_only.sql']], [['0001_a.sql', '0001_b.sql']], [['0001_a.sql', '0003_c.sql']]])(
    'refuses the numbers of %s',
    async (files) => {
      for (const file of files) await writeFile(join(folder, file), 'SELECT 1;')
      await expect(readMigrations(folder)).rejects.toThrow('out of sequence')
    },
  )
})

describe('splitStatements', () => {
  it('keeps bodies of functions whole and drops comments between statements', () => {
    const body = 'CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$\n  SELECT 1;\n  SELECT 2;\n$$;'
    expect(splitStatements(`-- why\n\nSELECT 1;\n${body}\nSELECT\n  3;\n`)).toEqual([
      'SELECT 1;',
      body,
      'SELECT\n  3;',
    ])
    expect(splitStatements('SELECT 1')).toEqual(['SELECT 1'])
  })
})
