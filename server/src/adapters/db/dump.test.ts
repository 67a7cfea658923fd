import { pbkdf2 } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  embeddedTestDatabase,
  hasPostgres,
  postgresTestDatabase,
} from '../../../test/test-database.ts'
import { migrationsFolder } from '../../paths.ts'
import { composed, readTables } from './catalog.ts'
import type { Database } from './database.ts'
import { writeDump } from './dump.ts'
import { type Migration, readMigrations } from './migrate.ts'
import { restoreDump } from './restore.ts'

const createdAt = new Date('2026-11-01T10:00:00Z')
const folder = mkdtempSync(join(tmpdir(), 'redpack-dump-'))
const file = join(folder, 'books.dump')
let source: Database
let migrations: Migration[]

beforeAll(async () => {
  migrations = await readMigrations(migrationsFolder)
  source = await embeddedTestDatabase()
  await source.script(sample)
  await writeDump(source, file, { createdAt })
}, 60_000)

afterAll(async () => {
  await source.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Values that lose something in a careless dump. */
const sample = `
  INSERT INTO users (id, username, display_name, bio, notifications, red_coin_balance, created_at)
    VALUES (7, 'ana', 'Ana', E'two\\nlines, \\u2028 "quotes" \\\\ and 🎁', '{"email": 1.50}',
      9007199254740991, '2026-03-29 01:02:03.123456+00');
  INSERT INTO app_settings (key, value) VALUES ('nothing', 'null'), ('zero', '0');
  INSERT INTO pack_types (id, name) VALUES (3, 'Lucky');
  INSERT INTO prizes (id, name) VALUES (5, 'Mug');
  INSERT INTO prizes (id, name, archived_at, archived_pack_type_ids)
    VALUES (6, 'Cap', '2026-03-29 01:02:03.123456+00', '{3,9}');
  INSERT INTO images (hash, type, bytes)
    VALUES (repeat('a', 64), 'image/webp', '\\x00ff5c6e0a'), (repeat('b', 64), 'image/webp', NULL);
  INSERT INTO prize_pack_types (prize_id, pack_type_id) VALUES (5, 3);
  INSERT INTO red_coin_transactions (user_id, amount, type, balance_after, source_type, source_id)
    VALUES (7, 9007199254740991, 'opening_balance', 9007199254740991, 'opening_balance', '7');
  INSERT INTO pack_transactions (user_id, pack_type_id, delta, quantity_after, type, source_type,
    source_id) SELECT 7, 3, 1, n, 'admin_grant', 'grant', n::text FROM generate_series(1, 1200) n;
  INSERT INTO bulk_batches (id, kind, actor_id, file_name, file_hash, processed_count, failed_count,
    total, created_at) VALUES ('00000000-0000-4000-8000-00000000000b', 'redcoin', 7, 'a.csv',
    repeat('c', 64), 0, 0, 0, '2026-03-29 01:02:03.123456+00');
  INSERT INTO bulk_batches (id, kind, actor_id, reverses, processed_count, failed_count, total,
    created_at) VALUES ('00000000-0000-4000-8000-00000000000a', 'redcoin', 7,
    '00000000-0000-4000-8000-00000000000b', 0, 0, 0, '2026-03-29 01:02:04+00');
  INSERT INTO outbox_messages (id, user_id, channel, kind, event, bundled_into, next_try_at,
    created_at) SELECT n, 7, 'email', 'won', 'opening-' || n, CASE WHEN n = 1 THEN 1200 END,
    '2026-03-29 01:02:03Z', '2026-03-29 01:02:03Z' FROM generate_series(1, 1200) n;
`

/** Keys by which a row names another of its table, and which ask for that one at once. */
const hasty = `SELECT conname FROM pg_constraint
  WHERE contype = 'f' AND conrelid = confrelid AND NOT condeferred`

/** Every row of every table as text, and where the ids go on. */
async function contentOf(db: Database): Promise<unknown> {
  const tables = await readTables(db)
  const content: Record<string, unknown> = {}
  for (const { name } of tables) {
    content[name] = await db.run(composed(`SELECT t::text AS row FROM "${name}" t ORDER BY 1`), [])
  }
  const [next] = await db.run(
    composed("SELECT nextval(pg_get_serial_sequence('pack_transactions', 'id'))::text AS id"),
    [],
  )
  return { content, next }
}

const restoreInto = (db: Database, from = file, force = false) =>
  restoreDump(db, from, { migrations, force })

describe('a dump', () => {
  it('holds rows in any order: no key asks at once for another row of its table', async () => {
    expect(await source.run(composed(hasty), [])).toEqual([])
  })

  it('restores every value, every id to come and no trigger runs', async () => {
    const target = await embeddedTestDatabase()
    const { rows } = await restoreInto(target)
    expect(rows).toBeGreaterThan(1_200)
    expect(await contentOf(target)).toEqual(await contentOf(source))
    // The triggers are awake again afterwards.
    await expect(target.script('DELETE FROM red_coin_transactions')).rejects.toThrow('append-only')
    await target.close()
  }, 60_000)

  it.runIf(hasPostgres)(
    'goes from the embedded database to PostgreSQL and back',
    async () => {
      const { db, drop } = await postgresTestDatabase()
      const again = await embeddedTestDatabase()
      try {
        await restoreInto(db)
        const back = join(folder, 'back.dump')
        await writeDump(db, back, { createdAt })
        await restoreInto(again, back)
        expect(await contentOf(again)).toEqual(await contentOf(db))
      } finally {
        await again.close()
        await drop()
      }
    },
    60_000,
  )

  it('is readable by its owner alone and leaves no unfinished file', () => {
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder).filter((name) => name.includes('unfinished'))).toEqual([])
  })

  it('leaves nothing behind when it is stopped', async () => {
    const stopped = join(folder, 'stopped.dump')
    const signal = AbortSignal.abort()
    // All threads have other work, so that the file is not open yet when the dump is stopped.
    const work = Array.from({ length: 12 }, () =>
      promisify(pbkdf2)('busy', 'threads', 100_000, 64, 'sha512'),
    )
    await expect(writeDump(source, stopped, { createdAt, signal })).rejects.toThrow('aborted')
    await Promise.all(work)
    await new Promise((resolve) => setTimeout(resolve, 50))
    const left = () => readdirSync(folder).filter((name) => name.startsWith('stopped'))
    await expect.poll(left).toEqual([])
  })
})

describe('a restore is refused and changes nothing', () => {
  const plain = () => gunzipSync(readFileSync(file)).toString('utf8')
  const written = (name: string, content: Buffer): string => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }

  it('into a database that is not empty, unless forced', async () => {
    const before = await contentOf(source)
    await expect(restoreInto(source)).rejects.toThrow('The database is not empty')
    await restoreInto(source, file, true)
    expect(await contentOf(source)).toMatchObject({
      content: (before as { content: object }).content,
    })
  })

  it.each([
    ['cut off', () => readFileSync(file).subarray(0, 2_000), 'is cut off'],
    ['changed', () => gzipSync(plain().replace('"Ana"', '"Eve"')), 'checksum does not match'],
    ['without its end', () => gzipSync(plain().replace(/\{"end.*\n$/, '')), 'is cut off'],
    ['no dump at all', () => gzipSync('{"hello":1}\n'), 'is no dump'],
    ['not compressed', () => Buffer.from('hello'), 'is no dump'],
  ])('from a dump that is %s', async (what, content, sentence) => {
    const before = await contentOf(source)
    const bad = written(`${what.replaceAll(' ', '-')}.dump`, content())
    await expect(restoreInto(source, bad, true)).rejects.toThrow(sentence)
    expect(await contentOf(source)).toMatchObject({
      content: (before as { content: object }).content,
    })
  })

  it('from a dump of a newer schema', async () => {
    await expect(
      restoreDump(source, file, { migrations: migrations.slice(0, -1), force: true }),
    ).rejects.toThrow('was made by a newer program')
  })

  it('into a database with tables of something else', async () => {
    await source.script('ALTER TABLE schema_migrations RENAME TO something_else')
    await expect(restoreInto(source, file, true)).rejects.toThrow('tables of something else')
    await source.script('ALTER TABLE something_else RENAME TO schema_migrations')
  })
})
