// Sealing anew: everything under the new key, nothing changed but its seal, and the old key free.

import { beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../../test/deps.ts'
import { useListeningServer } from '../../test/listening-server.ts'
import { seededRandom } from '../../test/seeded-random.ts'
import { Browser } from '../../test/sign-in.ts'
import { encryptionWith } from '../adapters/encryption/encryption.ts'
import { giveKeyUp, refuseOtherKey, rememberKey } from '../adapters/encryption/key-marks.ts'
import { countSealed, sealedColumns } from '../adapters/encryption/sealed-columns.ts'
import { reencrypt } from './reencrypt.ts'

const password = 'a long enough password'
const w = useListeningServer({ LOCAL_ADMIN_USERNAME: 'keeper', LOCAL_ADMIN_PASSWORD: password })
const oldKey = '5e'.repeat(32)
const newKey = '77'.repeat(32)
const old = encryptionWith(oldKey, seededRandom())
const both = encryptionWith(newKey, seededRandom(), [oldKey])
const fresh = encryptionWith(newKey, seededRandom())

let delivery = ''
let codes = ''
const home = { name: 'Ana', addressLines: ['Main 1'], city: 'Town', country: 'Sweden' }
let ana: Browser
let ben: Person
let boss: Person

/** Something sealed in every column there is. */
beforeEach(async () => {
  const { t } = w
  Object.assign(t.deps.encryption, old)
  await rememberKey(t.db, old, 'setting')
  boss = await t.person('boss', { role: 'admin' })
  const minted = await w.control<Record<string, string>>('twitch/bot-token', { login: 'redbot' })
  const { accessToken, refreshToken, clientId, userId: botUserId, login: botUsername } = minted
  const form = { botUsername, botUserId, clientId, accessToken, refreshToken }
  await boss.send('POST', '/api/admin/twitch/bot-credentials', form)
  const signIn = { method: 'POST', url: '/api/auth/local' } as const
  const keeper = await t.app.inject({ ...signIn, payload: { username: 'keeper', password } })
  const cookie = `sid=${keeper.cookies.find(({ name }) => name === 'sid')!.value}`
  const enrol = { method: 'POST', url: '/api/admin/second-factor/enrol' } as const
  await t.app.inject({ ...enrol, headers: { cookie } })
  ana = new Browser(w.origin)
  await ana.signIn('Ana')
  const gold = await t.packType('Gold')
  await t.prize('Hoodie', { packTypeIds: [gold], totalPacks: 1 })
  ben = await t.person('ben', { packs: { [gold]: 3 } })
  await ben.open(gold)
  const [claim] = await t.rows<{ claim_id: string }>('SELECT claim_id FROM prize_claims')
  delivery = `/api/user/prize-claims/${claim!.claim_id}/delivery`
  expect((await ben.send('PUT', delivery, home)).statusCode).toBe(200)
  const keys = { name: 'Game key', packTypeIds: [gold], deliversCodes: true }
  const { id } = (await boss.send('POST', '/api/admin/prizes', keys)).json()
  codes = `/api/admin/prizes/${id}/codes`
  await addCode()
})

const addCode = async () => (await boss.send('POST', codes, { codes: ['AAA-1'] })).json()

describe('everything sealed', () => {
  it('stands in the columns of the list, and in no other', async () => {
    const columns = await w.t.rows<{ table: string; column: string }>(
      `SELECT table_name AS table, column_name AS column FROM information_schema.columns
       WHERE table_schema = 'public' AND data_type IN ('jsonb', 'text', 'json')
         AND table_name IN (SELECT tablename FROM pg_tables WHERE schemaname = 'public')`,
    )
    const found: string[] = []
    for (const { table, column } of columns) {
      const rows = await w.t.rows(
        `SELECT 1 FROM ${table} WHERE ${column}::text LIKE '%"keyId"%' LIMIT 1`,
      )
      if (rows.length > 0) found.push(`${table}.${column}`)
    }
    const listed = sealedColumns.map(({ table, column }) => `${table}.${column}`)
    expect(found.sort()).toEqual(listed.sort())
  })

  it('is sealed with the new key, and everything works without the old one', async () => {
    const { t } = w
    const count = (await countSealed(t.db)).reduce((sum, each) => sum + each.count, 0)
    const events = await t.rows('SELECT * FROM prize_claim_events ORDER BY id')
    const result = await reencrypt(t.db, both)
    expect([...result.done.values()].reduce((sum, each) => sum + each, 0)).toBe(count)
    expect([...result.done.keys()].sort()).toEqual([
      'bot tokens',
      'codes of prizes',
      'delivery details',
      'second factors',
      'server seeds',
      'sign-ins',
    ])
    expect(result).toMatchObject({ left: [], free: [old.keyId] })
    await refuseOtherKey(t.db, fresh, 'setting')
    Object.assign(t.deps.encryption, fresh)
    expect(await ben.read(delivery)).toMatchObject({ delivery: home })
    const [{ id } = { id: 0 }] = await t.rows<{ id: number }>('SELECT id FROM pack_types')
    const open = { packTypeId: id, quantity: 1 }
    expect((await ben.send('POST', '/api/packs/open', open)).statusCode).toBe(200)
    expect(await boss.read('/api/admin/twitch/bot-credentials')).toMatchObject({
      state: 'ready',
    })
    for (let hour = 0; hour < 5; hour += 1) await w.advance(3_600)
    expect((await ana.open('/api/auth/me')).status).toBe(200)
    expect(await addCode()).toMatchObject({ verdicts: [{ verdict: 'known' }] })
    // The winner's timeline has no change in it that the winner did not make.
    expect(await t.rows('SELECT * FROM prize_claim_events ORDER BY id')).toEqual(events)
    expect((await reencrypt(t.db, fresh)).done.size).toBe(0)
  })

  it('that cannot be opened is left as it is, and its key goes on being needed', async () => {
    const { t } = w
    await t.rows(
      `UPDATE second_factors SET secret = jsonb_set(secret, '{tag}', '"AAAAAAAAAAAAAAAAAAAAAA=="')`,
    )
    const before = await t.rows('SELECT secret FROM second_factors')
    const { left, free } = await reencrypt(t.db, both)
    expect(left).toEqual([{ words: 'second factors', keyId: old.keyId, count: 1 }])
    expect(free).toEqual([])
    expect(await t.rows('SELECT secret FROM second_factors')).toEqual(before)
    await expect(refuseOtherKey(t.db, fresh, 'setting')).rejects.toThrow('ENCRYPTION_KEY_PREVIOUS')
    await giveKeyUp(t.db, old.keyId!)
    await refuseOtherKey(t.db, fresh, 'setting')
    expect((await reencrypt(t.db, fresh)).left).toEqual([])
  })

  it('is sealed with the new key where a code was taken twice, and the code is known', async () => {
    const { t } = w
    Object.assign(t.deps.encryption, fresh)
    expect(await addCode()).toMatchObject({ added: 1 })
    expect((await reencrypt(t.db, both)).left).toEqual([])
    const lastKey = '99'.repeat(32)
    const last = encryptionWith(lastKey, seededRandom(), [newKey])
    expect((await reencrypt(t.db, last)).left).toEqual([])
    Object.assign(t.deps.encryption, encryptionWith(lastKey, seededRandom()))
    expect(await addCode()).toMatchObject({ verdicts: [{ verdict: 'known' }] })
  })

  it('leaves bot tokens alone while somebody renews them', async () => {
    const { t } = w
    const lease = (until: string) =>
      t.rows(`UPDATE twitch_bot_credentials SET refresh_until = clock_timestamp() ${until}`)
    await lease("+ interval '1 hour'")
    const { left } = await reencrypt(t.db, both)
    expect(left).toEqual([{ words: 'bot tokens', keyId: old.keyId, count: 2 }])
    await lease("- interval '1 second'")
    expect((await reencrypt(t.db, both)).left).toEqual([])
  })
})
