// A database is the sandbox's or real people's, from its first start on.

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { emptyDatabase } from '../../../test/deps.ts'
import {
  embeddedTestDatabase,
  isPostgresReachable,
  postgresTestDatabase,
} from '../../../test/test-database.ts'
import { renumberSandbox } from '../../demo/renumber.ts'
import { type Database, statement } from './database.ts'
import { OtherMode, rememberMode } from './open.ts'

const hasPostgres = await isPostgresReachable()
const nothing = async () => undefined
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
    await rememberMode(db, sandbox, nothing)
    await rememberMode(db, sandbox, nothing)
    const other = rememberMode(db, !sandbox, () => Promise.reject(new Error('ran')))
    await expect(other).rejects.toThrow(OtherMode)
    await expect(rememberMode(db, !sandbox, nothing)).rejects.toThrow(words)
    await rememberMode(db, sandbox, nothing)
  })

  it('is not recorded when what comes with it fails', async () => {
    const failing = rememberMode(db, true, () => Promise.reject(new Error('no')))
    await expect(failing).rejects.toThrow('no')
    await rememberMode(db, false, nothing)
  })

  it.runIf(hasPostgres)('is decided once when both kinds start together', async () => {
    const { db: shared, drop } = await postgresTestDatabase()
    const modes = Array.from({ length: 16 }, (_, index) => index % 2 === 0)
    const starts = modes.map((sandbox) => rememberMode(shared, sandbox, nothing))
    const outcomes = await Promise.allSettled(starts)
    const admitted = modes.filter((_mode, index) => outcomes[index]?.status === 'fulfilled')
    expect(admitted).toHaveLength(8)
    expect(new Set(admitted).size).toBe(1)
    await drop()
  })
})

describe('a sandbox from before', () => {
  const column = (table: string, name: string) =>
    db
      .run<{ value: string }>(
        statement(`mode_test_${table}`, `SELECT ${name} AS value FROM ${table} ORDER BY id`),
        [],
      )
      .then((rows) => rows.map(({ value }) => value))

  it('keeps its people and demo channels, under numbers that Twitch gives to nobody', async () => {
    await db.script(`
      INSERT INTO users (twitch_id, username, display_name) VALUES
        ('990000001', 'pixelotter', 'PixelOtter'), ('1234567890', 'ana', 'Ana'),
        (NULL, 'keeper', 'Keeper'), ('9000000005000000000', 'new', 'New');
      INSERT INTO twitch_streams (twitch_channel_id, channel_name, display_name, channel_url)
      VALUES ('990100001', 'a', 'A', 'https://a.test'), ('77', 'b', 'B', 'https://b.test')`)
    await rememberMode(db, true, renumberSandbox)
    const users = ['9000000000990000001', '9000000001234567890', null, '9000000005000000000']
    expect(await column('users', 'twitch_id')).toEqual(users)
    const channels = ['9000000000990100001', '77']
    expect(await column('twitch_streams', 'twitch_channel_id')).toEqual(channels)
    await rememberMode(db, true, renumberSandbox)
    expect(await column('users', 'twitch_id')).toEqual(users)
  })
})
