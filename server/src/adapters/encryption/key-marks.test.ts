// A database knows its keys: who lacks one is refused, and nothing is changed by the refusal.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { emptyDatabase } from '../../../test/deps.ts'
import { seededRandom } from '../../../test/seeded-random.ts'
import {
  embeddedTestDatabase,
  hasPostgres,
  postgresTestDatabase,
} from '../../../test/test-database.ts'
import { type Database, statement } from '../db/database.ts'
import { encryptionWith } from './encryption.ts'
import { forgetIdleKeys, giveKeyUp, OtherKey, refuseOtherKey, rememberKey } from './key-marks.ts'

const [one, two, three] = ['11', '22', '33'].map((byte) => byte.repeat(32)) as [
  string,
  string,
  string,
]
const withKeys = (key: string, ...earlier: string[]) => encryptionWith(key, seededRandom(), earlier)
const remember = (key: string, ...earlier: string[]) =>
  rememberKey(db, withKeys(key, ...earlier), 'setting')
const admit = (key: string, ...earlier: string[]) =>
  refuseOtherKey(db, withKeys(key, ...earlier), 'setting')

let db: Database
beforeAll(async () => {
  db = await embeddedTestDatabase()
}, 60_000)
beforeEach(() => emptyDatabase(db))
afterAll(() => db.close())

const marks = () =>
  db.run<{ key_id: string; is_lost: boolean }>(
    statement('test_key_marks', 'SELECT key_id, is_lost FROM encryption_keys ORDER BY key_id'),
    [],
  )

/** Somebody who signed in with tokens that the key has sealed. */
async function signIn(name: string, key: string): Promise<void> {
  const sealed = JSON.stringify(withKeys(key).seal('tokens', 'anywhere'))
  await db.run(
    statement(
      'test_sealed_sign_in',
      `WITH added AS (INSERT INTO users (username, display_name) VALUES ($1, $1) RETURNING id)
       INSERT INTO twitch_sign_ins (user_id, tokens, checked_at)
       SELECT id, $2::jsonb, now() FROM added`,
    ),
    [name, sealed],
  )
}

describe('the key of a database', () => {
  it('is remembered by its name, which another key never has', async () => {
    await remember(one)
    await remember(one)
    await admit(one)
    const names = [one, two, three].map((key) => withKeys(key).keyId)
    expect(new Set(names).size).toBe(3)
    expect(await marks()).toEqual([{ key_id: names[0], is_lost: false }])
    for (const key of [one, two, three]) expect(names.join()).not.toContain(key.slice(0, 8))
  })

  it('refuses another one in one line that names the setting, and stays as it was', async () => {
    await remember(one)
    const before = await marks()
    for (const attempt of [admit(two), remember(two), admit(two, three)]) {
      const error = await attempt.catch((caught: Error) => caught)
      expect(error).toBeInstanceOf(OtherKey)
      const { message } = error as Error
      expect(message).toMatch(/^ENCRYPTION_KEY is not the key .*ENCRYPTION_KEY_PREVIOUS/)
      expect(message.split('\n')).toHaveLength(1)
      for (const key of [one, two, three]) expect(message).not.toContain(key)
    }
    expect(await marks()).toEqual(before)
  })

  it('names the file when the key was generated', async () => {
    await remember(one)
    await expect(refuseOtherKey(db, withKeys(two), 'file')).rejects.toThrow(
      /DATA_DIR\/encryption\.key .*ENCRYPTION_KEY/,
    )
  })

  it('says that there is none where none was found', async () => {
    await remember(one)
    const { keyId } = withKeys(one)
    const none = encryptionWith(undefined, seededRandom())
    await expect(refuseOtherKey(db, none, 'file')).rejects.toThrow(
      `There is no encryption key, and the database was sealed with ${keyId}: set ENCRYPTION_KEY`,
    )
  })

  it('lets a successor in that has it as well, and from then on asks for both', async () => {
    await remember(one)
    await remember(two, one)
    await admit(one, two)
    expect(await marks()).toHaveLength(2)
    await expect(admit(two)).rejects.toThrow('add that key to ENCRYPTION_KEY_PREVIOUS')
    await expect(admit(one)).rejects.toThrow('add that key to ENCRYPTION_KEY_PREVIOUS')
  })

  it('is known by what it has sealed before there were marks', async () => {
    await signIn('ana', one)
    await expect(remember(two)).rejects.toThrow(OtherKey)
    expect(await marks()).toEqual([])
    await remember(one)
    await admit(one)
  })

  it('is asked for as long as it has sealed anything, whatever the marks say', async () => {
    await remember(two)
    await signIn('ana', one)
    await expect(admit(two)).rejects.toThrow(OtherKey)
    await admit(two, one)
  })

  it('can be given up when nobody has it any more, and counts again when it comes back', async () => {
    await signIn('ana', one)
    const { keyId } = withKeys(one)
    await expect(admit(two)).rejects.toThrow(`node server/dist/cli.js reseal --lost ${keyId}`)
    await giveKeyUp(db, keyId!)
    await remember(two)
    await admit(two)
    await remember(one, two)
    await expect(admit(two)).rejects.toThrow(OtherKey)
  })

  it('is forgotten after a restore when nothing is sealed with it', async () => {
    await remember(one)
    await signIn('ana', two)
    await forgetIdleKeys(db)
    await admit(two)
    await expect(admit(three)).rejects.toThrow(OtherKey)
  })

  it.runIf(hasPostgres)('is decided once when processes with two keys start together', async () => {
    const { db: shared, drop } = await postgresTestDatabase()
    const keys = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? one : two))
    const outcomes = await Promise.allSettled(
      keys.map((key) => rememberKey(shared, withKeys(key), 'setting')),
    )
    const admitted = keys.filter((_key, index) => outcomes[index]?.status === 'fulfilled')
    expect(admitted).toHaveLength(6)
    expect(new Set(admitted).size).toBe(1)
    await drop()
  })
})
