// What the operator is told about a dump: which pictures are in it, and which are not.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import { openDataFolder } from '../adapters/data-folder/data-folder.ts'
import { statement } from '../adapters/db/database.ts'
import { openEmbedded } from '../adapters/db/embedded.ts'
import { migrate, readMigrations } from '../adapters/db/migrate.ts'
import { readConfig } from '../config/config.ts'
import { backUp } from './backup.ts'
import { CannotRun } from './command.ts'

const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'redpack-backup-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const bucket = {
  S3_ENDPOINT: 'https://s3.example.org',
  S3_BUCKET: 'pictures',
  S3_REGION: 'eu',
  S3_ACCESS_KEY_ID: 'a',
  S3_SECRET_ACCESS_KEY: 's',
}

it('counts the pictures that are in it and those that are not', async () => {
  const dataDir = join(folder, 'data')
  const change = async (sql?: string) => {
    const data = await openDataFolder(dataDir, true)
    const db = await openEmbedded(data.database)
    await migrate(db, await readMigrations(migrationsFolder))
    if (sql !== undefined) await db.run(statement(`change_${sql.length}`, sql), [])
    await db.close()
    await data.release()
  }
  const said = async (settings: Record<string, string> = {}) => {
    const lines: string[] = []
    const config = readConfig({ DATA_DIR: dataDir, ...settings })
    const output = { line: (text: string) => lines.push(text), progress: () => undefined }
    await backUp(config, join(folder, 'dump'), output)
    expect(lines[0]).toMatch(/^Wrote \d+ rows to /)
    return lines.slice(1)
  }
  const key = 'The encryption key is not in the dump: copy it from DATA_DIR.'
  await change()
  expect(await said()).toEqual(['No pictures were uploaded.', key])
  await change(
    `INSERT INTO images (hash, type, bytes) VALUES (repeat('a', 64), 'image/png', 'x'),
       (repeat('b', 64), 'image/png', 'y')`,
  )
  expect(await said()).toEqual(['The dump holds 2 uploaded pictures.', key])
  await change(`INSERT INTO images (hash, type) VALUES (repeat('c', 64), 'image/png')`)
  expect(await said({ ...bucket, ENCRYPTION_KEY: '5e'.repeat(32) })).toEqual([
    'The dump holds 2 uploaded pictures.',
    'The dump does NOT hold 1 uploaded picture. Copy it from the bucket pictures.',
    'The encryption key is not in the dump: keep ENCRYPTION_KEY elsewhere.',
  ])
  const output = { line: () => undefined, progress: () => undefined }
  await expect(backUp(readConfig({ DATA_DIR: dataDir }), folder, output)).rejects.toEqual(
    new CannotRun(`No dump was written to ${folder}: it is a folder`),
  )
}, 60_000)
