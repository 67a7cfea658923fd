// What an operator is told who checks books, tries a dump or restores it: keys before books, old
// dumps as well, and where a restore aims.

import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { seededRandom } from '../../test/seeded-random.ts'
import { hasPostgres, postgresTestDatabase } from '../../test/test-database.ts'
import { openDataFolder } from '../adapters/data-folder/data-folder.ts'
import type { Database } from '../adapters/db/database.ts'
import { openEmbedded } from '../adapters/db/embedded.ts'
import { migrate, readMigrations } from '../adapters/db/migrate.ts'
import { encryptionWith } from '../adapters/encryption/encryption.ts'
import { putMark } from '../adapters/encryption/key-marks.ts'
import { readConfig } from '../config/config.ts'
import { migrationsFolder } from '../paths.ts'
import { backUp } from './backup.ts'
import { CannotRun } from './command.ts'
import { renewPublicLog, takeOffSecondFactor } from './keys.ts'
import { restore } from './restore.ts'
import { drillRestore } from './restore-drill.ts'
import { verifyEconomy, WrongKeys } from './verify-economy.ts'

let folder: string
let lines: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'redpack-verify-'))
  lines = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const output = { line: (text: string) => lines.push(text), progress: () => undefined }
const key = '5e'.repeat(32)
const configOf = (encryptionKey = key) =>
  readConfig({ DATA_DIR: join(folder, 'data'), ENCRYPTION_KEY: encryptionKey })

/** A database of the program after so many migrations, the newest when none are named. */
async function database(steps?: number, fill: (db: Database) => Promise<void> = async () => {}) {
  const data = await openDataFolder(join(folder, 'data'), true)
  const db = await openEmbedded(data.database)
  const migrations = (await readMigrations(migrationsFolder)).slice(0, steps)
  if (steps !== 0) await migrate(db, migrations)
  await fill(db)
  await db.close()
  await data.release()
}

it('looks at keys before books: with another one nothing is checked', async () => {
  await database(undefined, async (db) => {
    await putMark(db, encryptionWith(key, seededRandom()))
  })
  expect(await verifyEconomy(configOf(), output)).toBe(0)
  const wrong = verifyEconomy(configOf('77'.repeat(32)), output)
  await expect(wrong).rejects.toThrow(
    /^Nothing was checked\. ENCRYPTION_KEY is not the key that the database was sealed with/,
  )
  await expect(wrong).rejects.toBeInstanceOf(WrongKeys)
}, 300_000)

it('drills with a good dump of an older version as its first start would take it', async () => {
  await database(8)
  const dump = join(folder, 'old.dump')
  await backUp(configOf(), dump, output)
  expect(await drillRestore(configOf(), dump, output)).toBe(0)
  expect(lines).toContainEqual(
    expect.stringMatching(
      /^It is from an older version and was migrated to this one \(\d+ steps\)$/,
    ),
  )
  expect(lines.at(-1)).toMatch(/^The drill succeeded/)
}, 300_000)

it('finds nothing to work on where no start has made anything, and makes nothing', async () => {
  const restored = restore(configOf(), join(folder, 'no.dump'), false, output)
  await expect(restored).rejects.toThrow(/no\.dump does not exist$/)
  expect(readdirSync(folder)).toEqual([])
  await database(0)
  const nothing = `There is nothing in the folder ${join(folder, 'data')} yet: start the program once`
  for (const command of [takeOffSecondFactor, renewPublicLog, verifyEconomy]) {
    await expect(command(configOf(), output)).rejects.toEqual(new CannotRun(nothing))
  }
  const dump = join(folder, 'empty.dump')
  await expect(backUp(configOf(), dump, output)).rejects.toEqual(new CannotRun(nothing))
  expect(readdirSync(join(folder, 'data'))).toEqual(['database'])
}, 300_000)

describe('a restore names where it aims, first and when it is refused', () => {
  const noDump = () => join(folder, 'no.dump')

  it('a folder', async () => {
    await database(undefined, async (db) => {
      await db.script("INSERT INTO users (username, display_name) VALUES ('a', 'A')")
    })
    await backUp(configOf(), noDump(), output)
    const into = `the folder ${join(folder, 'data')}`
    await expect(restore(configOf(), noDump(), false, output)).rejects.toThrow(
      `Nothing was restored into ${into}. The database is not empty: use --force`,
    )
    expect(lines.at(-1)).toBe(`Restoring into ${into}`)
  }, 300_000)

  it.each([
    ['127.0.0.1:1/shop', 'the database shop at 127.0.0.1:1'],
    ['127.0.0.1:1,127.0.0.1:2/shop', 'the database shop at 127.0.0.1:1, 127.0.0.1:2'],
  ])('a server, whatever DATA_DIR says: %s', async (place, target) => {
    const url = `postgres://redpack:secret@${place}?password=secret`
    const config = readConfig({ DATABASE_URL: url, DATA_DIR: folder, ENCRYPTION_KEY: key })
    await expect(restore(config, noDump(), false, output)).rejects.toBeInstanceOf(CannotRun)
    expect(lines).toEqual([`Restoring into ${target}`])
  })
})

describe.skipIf(!hasPostgres)('a drill beside a PostgreSQL', () => {
  const nobody = 'postgres://redpack@127.0.0.1:1/redpack'
  const settings = (more: Record<string, string>) => readConfig({ ENCRYPTION_KEY: key, ...more })

  it.each([
    ['a direct address', (url: string) => ({ DATABASE_URL: nobody, DATABASE_DIRECT_URL: url })],
    [
      'several hosts',
      (url: string) => ({ DATABASE_URL: url.replace(/(?<=[@/])[^@/]+:\d+/, '127.0.0.1:1,$&') }),
    ],
  ])(
    'leaves the database alone that is reached by %s',
    async (_, addressed) => {
      const { db, url, drop } = await postgresTestDatabase()
      await db.script("INSERT INTO users (username, display_name) VALUES ('a', 'A')")
      // As the first start leaves it: with a key that has sealed nothing yet.
      await putMark(db, encryptionWith(key, seededRandom()))
      expect(await drillRestore(settings(addressed(url)), undefined, output)).toBe(0)
      expect(lines).toContain('users: 1 restored, 1 now')
      await drop()
    },
    300_000,
  )

  it('that cannot begin says nothing about the dump', async () => {
    await database()
    const dump = join(folder, 'good.dump')
    await backUp(configOf(), dump, output)
    const drill = drillRestore(settings({ DATABASE_URL: nobody }), dump, output)
    await expect(drill).rejects.toBeInstanceOf(CannotRun)
  }, 300_000)
})
