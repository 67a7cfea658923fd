// How a database is opened: one that cannot be used says why, and each is the sandbox's or real
// people's from its first start on.

import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { emptyDatabase } from '../../../test/deps.ts'
import {
  embeddedTestDatabase,
  hasPostgres,
  postgresTestDatabase,
} from '../../../test/test-database.ts'
import { testPostgresUrl } from '../../../test/test-services.ts'
import { migrationsFolder } from '../../paths.ts'
import type { Database } from './database.ts'
import { readMigrations } from './migrate.ts'
import { OtherMode, openDatabase, rememberMode, UnreachableDatabase } from './open.ts'

const log = pino({ level: 'silent' })
const at = (databaseUrl: string) => ({
  databaseUrl,
  databaseDirectUrl: undefined,
  databasePoolSize: 4,
  processes: 1,
})
const options = { folder: '/nowhere', migrations: [], log }

describe('a database server', () => {
  it('that does not answer is tried again for a while, then named as the reason', async () => {
    const warnings: unknown[] = []
    const opening = openDatabase({
      ...options,
      settings: at('postgres://postgres@127.0.0.1:1/none'),
      patienceMillis: 600,
      log: { info: () => undefined, warn: (details: unknown) => warnings.push(details) } as never,
    })
    await expect(opening).rejects.toThrow(UnreachableDatabase)
    await expect(opening).rejects.toThrow(/DATABASE_URL cannot be used: .*ECONNREFUSED/)
    expect(warnings.length).toBeGreaterThanOrEqual(1)
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

  it.runIf(hasPostgres).each([
    ['1990', 'ahead of'],
    ['2190', 'behind'],
  ])('whose clock is not ours, of %s, is waited for, then refused', async (year, where) => {
    const warnings: unknown[] = []
    const opening = openDatabase({
      ...options,
      settings: at(testPostgresUrl),
      patienceMillis: 600,
      log: { warn: (...words: unknown[]) => warnings.push(words.at(-1)) } as never,
      clock: { now: () => new Date(year) },
    })
    await expect(opening).rejects.toThrow(
      new RegExp(`cannot be used: its clock is \\d+ s ${where} this machine's; set both right$`),
    )
    expect(warnings).toContain('waiting for the database')
  })

  it.runIf(hasPostgres)('that lets nothing be written says what to do about it', async () => {
    const { db, url, drop } = await postgresTestDatabase()
    const name = new URL(url).pathname.slice(1)
    const stranger = new URL(url)
    stranger.username = `stranger_of_${name}`
    const migrations = await readMigrations(migrationsFolder)
    const opening = (address: string) =>
      openDatabase({ ...options, migrations, settings: at(address) })
    const unusable = 'The database at DATABASE_URL cannot be used: '
    // One that a killed run has left.
    await db.script(`DROP ROLE IF EXISTS "${stranger.username}"`)
    await db.script(`CREATE ROLE "${stranger.username}" LOGIN`)
    await expect(opening(stranger.href)).rejects.toThrow(
      `${unusable}its user lacks rights; make that user the owner of the database (permission`,
    )
    await db.script(`DROP ROLE "${stranger.username}"`)
    await db.script('DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE TABLE users ()')
    await expect(opening(url)).rejects.toThrow(
      `${unusable}it holds tables of something else; choose an empty one (relation`,
    )
    await db.script(`ALTER DATABASE "${name}" SET default_transaction_read_only = on`)
    await expect(opening(url)).rejects.toThrow(
      `${unusable}it can only be read; lead DATABASE_URL to the server that writes (cannot execute`,
    )
    await drop()
  })

  it.runIf(hasPostgres)('says when the processes may want more than it has', async () => {
    const warningsOf = async (processes: number, databasePoolSize: number) => {
      const warnings: string[] = []
      const { db } = await openDatabase({
        ...options,
        settings: { ...at(testPostgresUrl), processes, databasePoolSize },
        log: { warn: (...words: unknown[]) => warnings.push(String(words.at(-1))) } as never,
      })
      await db.close()
      return warnings.filter((text) => text.includes('connections'))
    }
    expect(await warningsOf(1, 4)).toEqual([])
    expect(await warningsOf(64, 95)).toEqual([
      expect.stringMatching(/^64 processes may want 6400 connections .* room for \d+: lower PROC/),
    ])
  })
})

describe('the mode of a database', () => {
  let db: Database
  beforeAll(async () => {
    db = await embeddedTestDatabase()
  }, 60_000)
  afterEach(() => emptyDatabase(db))
  afterAll(() => db.close())

  it.each([
    [true, /belongs to the sandbox/],
    [false, /belongs to real people/],
  ])('that was first %s is refused to the other', async (sandbox, words) => {
    await rememberMode(db, sandbox)
    await rememberMode(db, sandbox)
    const other = rememberMode(db, !sandbox)
    await expect(other).rejects.toThrow(OtherMode)
    await expect(other).rejects.toThrow(words)
    await rememberMode(db, sandbox)
  })

  it.runIf(hasPostgres)('is decided once when both kinds start together', async () => {
    const { db: shared, drop } = await postgresTestDatabase()
    const modes = Array.from({ length: 16 }, (_, index) => index % 2 === 0)
    const starts = modes.map((sandbox) => rememberMode(shared, sandbox))
    const outcomes = await Promise.allSettled(starts)
    const admitted = modes.filter((_mode, index) => outcomes[index]?.status === 'fulfilled')
    expect(admitted).toHaveLength(8)
    expect(new Set(admitted).size).toBe(1)
    await drop()
  })
})
