// A database is the sandbox's or real people's, from its first start on.

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { emptyDatabase } from '../../../test/deps.ts'
import {
  embeddedTestDatabase,
  isPostgresReachable,
  postgresTestDatabase,
} from '../../../test/test-database.ts'
import type { Database } from './database.ts'
import { OtherMode, rememberMode } from './open.ts'

const hasPostgres = await isPostgresReachable()
let db: Database
beforeAll(async () => {
  db = await embeddedTestDatabase()
}, 60_000)
afterEach(() => emptyDatabase(db))
afterAll(() => db.close())

describe('the mode of a database', () => {
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
