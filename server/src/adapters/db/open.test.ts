import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { isPostgresReachable } from '../../../test/test-database.ts'
import { testPostgresUrl } from '../../../test/test-services.ts'
import { migrationsFolder } from '../../paths.ts'
import { readMigrations } from './migrate.ts'
import { openDatabase, UnreachableDatabase } from './open.ts'

const log = pino({ level: 'silent' })
const hasPostgres = await isPostgresReachable()
const at = (databaseUrl: string) => ({
  databaseUrl,
  databaseDirectUrl: undefined,
  databasePoolSize: 4,
})
const options = { folder: '/nowhere', migrations: [], log }

describe('a database server', () => {
  it('that is refused after its migrations were seen is as it was', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'redpack-open-'))
    const migrations = await readMigrations(migrationsFolder)
    const admit = () => Promise.reject(new Error('not this one'))
    const settings = { ...at(''), databaseUrl: undefined }
    const opening = { settings, folder: join(folder, 'database'), log, migrations }
    await expect(openDatabase({ ...opening, admit })).rejects.toThrow('not this one')
    const { db, applied } = await openDatabase(opening)
    expect(applied).toHaveLength(migrations.length)
    await db.close()
    rmSync(folder, { recursive: true, force: true })
  }, 60_000)

  it('that does not answer is tried again for a while, then named as the reason', async () => {
    const warnings: unknown[] = []
    const started = performance.now()
    const opening = openDatabase({
      ...options,
      settings: at('postgres://postgres@127.0.0.1:1/none'),
      patienceMillis: 600,
      log: { info: () => undefined, warn: (details: unknown) => warnings.push(details) } as never,
    })
    await expect(opening).rejects.toThrow(UnreachableDatabase)
    await expect(opening).rejects.toThrow(/DATABASE_URL cannot be used: .*ECONNREFUSED/)
    expect(warnings.length).toBeGreaterThanOrEqual(1)
    expect(performance.now() - started).toBeLessThan(5_000)
  })

  it.runIf(hasPostgres)('that refuses is not asked twice', async () => {
    const warnings: unknown[] = []
    const opening = openDatabase({
      ...options,
      settings: at(new URL('/there_is_no_such_database', testPostgresUrl).href),
      log: { info: () => undefined, warn: (details: unknown) => warnings.push(details) } as never,
    })
    await expect(opening).rejects.toThrow('does not exist')
    expect(warnings).toEqual([])
  })
})
