// Another encryption key, or a damaged row: nothing stored is taken for ended, nobody is signed
// out, and what cannot be opened says so.

import { Secret, TOTP } from 'otpauth'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Encryption, encryptionWith } from '../src/adapters/encryption/encryption.ts'
import { putMark } from '../src/adapters/encryption/key-marks.ts'
import { validateSignIns } from '../src/features/account/validate-sign-ins.ts'
import { checkBooks } from '../src/features/books/check-books.ts'
import { asBot, refreshBot } from '../src/features/twitch-bot/bot.ts'
import { checkBot } from '../src/features/twitch-bot/credentials.ts'
import { readCredentials } from '../src/features/twitch-bot/tables.ts'
import { type Person, told } from './deps.ts'
import { useListeningServer } from './listening-server.ts'
import { seededRandom } from './seeded-random.ts'
import { Browser } from './sign-in.ts'
import { signedEvent } from './signed-event.ts'

const password = 'a long enough password'
const w = useListeningServer({ LOCAL_ADMIN_USERNAME: 'keeper', LOCAL_ADMIN_PASSWORD: password })

const otherKey = encryptionWith('77'.repeat(32), seededRandom())
/** Sealed with the right key, but no longer what was sealed. */
const spoil = `jsonb_set(TEXT, '{tag}', to_jsonb('AAAAAAAAAAAAAAAAAAAAAA=='::text))`
const spoilt = (text: string) => spoil.replace('TEXT', text)

/** Each way in which a text that stands in the database cannot be opened. */
const ways = ['another key', 'a damaged row'] as const
type Way = (typeof ways)[number]

let boss: Person
beforeEach(async () => {
  vi.restoreAllMocks()
  Object.assign(w.t.deps.encryption, original)
  boss = await w.t.person('boss', { role: 'admin' })
})
let original: Encryption
beforeEach(() => {
  original ??= { ...w.t.deps.encryption }
})

/** From here on what was sealed before cannot be opened. */
async function losesKey(way: Way, damage: string): Promise<void> {
  if (way === 'another key') Object.assign(w.t.deps.encryption, otherKey)
  else await w.t.rows(damage)
}

describe.each(ways)('with %s', (way) => {
  it('nobody who signed in with Twitch is signed out', async () => {
    const ana = new Browser(w.origin)
    await ana.signIn('Ana')
    const ben = new Browser(w.origin)
    await ben.signIn('Ben')
    await w.t.rows(`UPDATE twitch_sign_ins SET checked_at = checked_at - interval '1 minute'
      WHERE user_id = (SELECT id FROM users WHERE username = 'ana')`)
    const asked = vi.spyOn(w.t.deps.twitch.tokens, 'validate')
    await losesKey(
      way,
      `UPDATE twitch_sign_ins SET tokens = ${spoilt('tokens')}
       WHERE user_id = (SELECT id FROM users WHERE username = 'ana')`,
    )
    w.t.clock.advance(3_600)
    await validateSignIns(w.t.deps)
    for (const who of [ana, ben]) expect((await who.open('/api/auth/me')).status).toBe(200)
    expect(await w.t.rows('SELECT 1 FROM twitch_sign_ins')).toHaveLength(2)
    // One row that cannot be opened keeps no other from being asked about.
    expect(asked).toHaveBeenCalledTimes(way === 'another key' ? 0 : 1)
    const old = w.t.clock.now().getTime() - 60_000
    const checked = await w.t.rows<{ at: Date }>('SELECT checked_at AS at FROM twitch_sign_ins')
    for (const { at } of checked) expect(at.getTime()).toBeGreaterThan(old)
  })

  it('the tokens of the chat bot stay as they are, and the panel says why it rests', async () => {
    const path = '/api/admin/twitch/bot-credentials'
    const minted = await w.control<Record<string, string>>('twitch/bot-token', { login: 'redbot' })
    const { accessToken, refreshToken, clientId, userId: botUserId, login: botUsername } = minted
    const form = { botUsername, botUserId, clientId, accessToken, refreshToken }
    expect((await boss.send('POST', path, form)).statusCode).toBe(200)
    const column = (name: string) => `${name} = (${spoilt(`${name}::jsonb`)})::text`
    await losesKey(way, `UPDATE twitch_bot_credentials SET ${column('refresh_token')}`)
    const before = await w.t.rows('SELECT * FROM twitch_bot_credentials')
    const work = vi.fn()
    expect(await asBot(w.t.deps, 'user:write:chat', work)).toBeUndefined()
    w.t.clock.advance(7_200)
    await checkBot(w.t.deps)
    const stored = (await readCredentials(w.t.db))!
    expect(await refreshBot(w.t.deps, stored)).toBeUndefined()
    expect(work).not.toHaveBeenCalled()
    expect(await w.t.rows('SELECT * FROM twitch_bot_credentials')).toEqual(before)
    expect(await boss.read(path)).toMatchObject({
      state: 'unreadable',
      isActive: true,
      canSendChat: false,
      advice: expect.stringContaining('cannot be opened with this ENCRYPTION_KEY'),
    })
  })

  it('the code of the local account is not called wrong, and recovery codes go on', async () => {
    const signIn = (code?: string) =>
      w.t.visitor.send('POST', '/api/auth/local', {
        username: 'keeper',
        password,
        ...(code === undefined ? {} : { code }),
      })
    const cookie = `sid=${(await signIn()).cookies.find(({ name }) => name === 'sid')!.value}`
    const call = (path: string, payload?: object) =>
      w.t.app.inject({
        method: 'POST',
        url: `/api/admin/second-factor${path}`,
        headers: { cookie },
        ...(payload === undefined ? {} : { payload }),
      })
    const { secret } = (await call('/enrol')).json<{ secret: string }>()
    const code = () =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({
        timestamp: w.t.clock.now().getTime(),
      })
    const { recoveryCodes } = (await call('/confirm', { code: code() })).json<{
      recoveryCodes: string[]
    }>()
    w.t.clock.advance(30)
    await losesKey(way, `UPDATE second_factors SET secret = ${spoilt('secret')}`)
    for (const answer of [await signIn(code()), await call('/turn-off', { code: code() })]) {
      expect(answer.statusCode).toBe(503)
      expect(answer.json().message).toContain('cannot be opened with this ENCRYPTION_KEY')
    }
    expect((await signIn(recoveryCodes[0])).statusCode).toBe(200)
    expect((await call('/turn-off', { code: recoveryCodes[1] })).statusCode).toBe(200)
  })

  it('a claim with delivery details is listed, exported and saved again', async () => {
    const gold = await w.t.packType('Gold')
    await w.t.prize('Hoodie', { packTypeIds: [gold], winFrequency: 1, totalPacks: 1 })
    const ana = await w.t.person('ana', { packs: { [gold]: 1 } })
    await ana.open(gold)
    const [claim] = await w.t.rows<{ claim_id: string }>('SELECT claim_id FROM prize_claims')
    const path = `/api/user/prize-claims/${claim!.claim_id}/delivery`
    const delivery = { name: 'Ana', addressLines: ['Main 1'], city: 'Town', country: 'Sweden' }
    expect((await ana.send('PUT', path, delivery)).statusCode).toBe(200)
    await losesKey(way, `UPDATE prize_claims SET contact_info = ${spoilt('contact_info')}`)
    for (const answer of [
      await ana.get(path),
      await boss.get('/api/admin/prize-claims'),
      await boss.get('/api/admin/prize-claims.csv?contact=with'),
      await ana.get('/api/user/export'),
    ]) {
      expect([answer.statusCode, answer.body.includes('Main 1')]).toEqual([200, false])
    }
    expect((await ana.send('PUT', path, delivery)).statusCode).toBe(200)
    expect((await ana.get(path)).body).toContain('Main 1')
  })

  it('an opening is 503 with a sentence, and no draw is made', async () => {
    const gold = await w.t.packType('Gold')
    const ana = await w.t.person('ana', { packs: { [gold]: 2 } })
    const open = () => ana.open(gold)
    expect((await open()).statusCode).toBe(200)
    await losesKey(
      way,
      `UPDATE draw_chains SET sealed_seed = ${spoilt('sealed_seed')}
       WHERE sealed_seed IS NOT NULL`,
    )
    expect(await told(open())).toBe(
      '503 A secret seed cannot be opened. Please tell the staff of this site.',
    )
    expect(await w.t.rows('SELECT 1 FROM pack_openings')).toHaveLength(1)
  })
})

describe('a new key', () => {
  it('makes no books false that a process with the earlier one alone cannot read', async () => {
    const gold = await w.t.packType('Gold')
    const ana = await w.t.person('ana', { packs: { [gold]: 2 } })
    expect((await ana.open(gold)).statusCode).toBe(200)
    await w.t.db.transaction((tx) => putMark(tx, original))
    Object.assign(w.t.deps.encryption, otherKey)
    const missing = `this process lacks the encryption key ${original.keyId}`
    await expect(checkBooks(w.t.deps)).rejects.toThrow(`could not be checked: I25 (${missing}`)
    const broken = () => w.t.rows('SELECT invariant FROM books_checks WHERE broken_rows > 0')
    expect(await broken()).toEqual([])
    // A key that no process has put there is none of another process.
    await w.t.rows(`UPDATE draw_chains SET sealed_seed = sealed_seed || '{"keyId":"made up"}'`)
    expect(await w.t.brokenBooks()).toEqual(['I25'])
  })

  it('makes no forgery of what Twitch signs with the secret of the earlier one', async () => {
    const secret = original.fingerprint('twitch_eventsub', 'secret')
    const challenge = async () => {
      const answer = await w.t.app.inject(
        signedEvent(secret, w.t.clock.now(), {
          id: 'm1',
          type: 'webhook_callback_verification',
          subscriptionType: 'stream.online',
          body: { challenge: 'word' },
        }),
      )
      return [answer.statusCode, answer.body]
    }
    expect(await challenge()).toEqual([200, 'word'])
    const both = encryptionWith('77'.repeat(32), seededRandom(), ['5e'.repeat(32)])
    Object.assign(w.t.deps.encryption, both)
    expect(await challenge()).toEqual([200, 'word'])
    Object.assign(w.t.deps.encryption, otherKey)
    expect((await challenge())[0]).toBe(403)
  })
})
