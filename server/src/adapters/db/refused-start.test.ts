// A start that is given up leaves its database to the next one.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { migrationsFolder } from '../../paths.ts'
import { readMigrations } from './migrate.ts'
import { openDatabase } from './open.ts'

it('a database that is refused after its migrations were seen is as it was', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'redpack-open-'))
  const migrations = await readMigrations(migrationsFolder)
  const admit = () => Promise.reject(new Error('not this one'))
  const settings = {
    databaseUrl: undefined,
    databaseDirectUrl: undefined,
    databasePoolSize: 4,
    processes: 1,
  }
  const log = pino({ level: 'silent' })
  const opening = { settings, folder: join(folder, 'database'), log, migrations }
  await expect(openDatabase({ ...opening, admit })).rejects.toThrow('not this one')
  const { db, applied } = await openDatabase(opening)
  expect(applied).toHaveLength(migrations.length)
  await db.close()
  rmSync(folder, { recursive: true, force: true })
}, 60_000)
