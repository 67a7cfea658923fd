// Sign-ins that happen at the same moment, on a database whose connections really compete.

import { Secret, TOTP } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { usePostgresDeps } from '../../../test/deps.ts'
import { waitingForLocks } from '../../../test/held-transaction.ts'
import { signInAs, twitchOf } from '../../../test/sign-in.ts'
import { hasPostgres } from '../../../test/test-database.ts'
import { holdSession, keepDevice } from '../outbox/device-tables.ts'
import { requireSecondFactor } from './local-account.ts'
import { signInWithTwitch, startAttempt } from './provider-sign-in.ts'
import { openSession } from './sessions.ts'
import { ensureLocalAdmin, keepSignIn, removeUnusedSignIns } from './tables.ts'

const honest = twitchOf('42', 'ana', 'Ana')
const redirectUri = 'http://127.0.0.1/callback'

describe.skipIf(!hasPostgres)('on PostgreSQL', () => {
  const t = usePostgresDeps(8, {
    LOCAL_ADMIN_USERNAME: 'keeper',
    LOCAL_ADMIN_PASSWORD: 'correct horse battery',
  })
  const signIn = (welcome: () => void) => signInAs(t.deps, honest, welcome)

  it('twenty first sign-ins at once make one user, welcomed once, and twenty sessions', async () => {
    let welcomes = 0
    const welcome = () => {
      welcomes += 1
    }
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => signIn(welcome)))
    expect(new Set(outcomes).size).toBe(1)
    expect(await t.rows('SELECT role, red_coin_balance FROM users')).toEqual([
      { role: 'user', red_coin_balance: 0 },
    ])
    expect(welcomes).toBe(1)
    expect(await t.rows('SELECT 1 FROM sessions')).toHaveLength(20)
  })

  it('a welcome that fails leaves no half-made user', async () => {
    const failing = signIn(() => {
      throw new Error('no packs')
    })
    await expect(failing).rejects.toThrow('no packs')
    expect(await t.rows('SELECT 1 FROM users')).toEqual([])
    expect(await t.rows('SELECT 1 FROM sessions')).toEqual([])
  })

  it('one callback sent ten times at once signs in once', async () => {
    const { state, browserToken } = await startAttempt(t.deps, 'twitch', { token: undefined })
    const callback = { code: 'code', state, browserToken, redirectUri, sessionToken: undefined }
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () =>
        signInWithTwitch(t.deps, honest, callback, async () => undefined),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'state')).toHaveLength(9)
    expect(await t.rows('SELECT 1 FROM sessions')).toHaveLength(1)
  })

  it('who signs in while unused sign-ins are forgotten stays known to Twitch', async () => {
    const userId = await signIn(() => undefined)
    await t.rows('DELETE FROM sessions')
    t.clock.advance(61)
    const sealed = t.deps.encryption.seal('new', 'tokens')
    let removal: Promise<void> | undefined
    await t.deps.db.transaction(async (tx) => {
      await keepSignIn(tx, userId, sealed, t.clock.now())
      removal = removeUnusedSignIns(t.db, new Date(t.clock.now().getTime() - 60_000))
      await expect.poll(() => waitingForLocks(t.db)).toBe(1)
      await openSession(t.deps, tx, { userId, kind: 'player' }, undefined)
    })
    await removal
    expect(await t.column('SELECT user_id FROM twitch_sign_ins')).toEqual([userId])
  })

  it('a device that is being added while its owner signs out everywhere does not stay', async () => {
    const ana = await t.person('ana')
    const hash = await t.value<string>('SELECT token_hash AS h FROM sessions')
    const device = { endpoint: 'https://push.example/1', p256dh: 'p', auth: 'a', label: '' }
    let out: ReturnType<typeof ana.send> | undefined
    await t.deps.db.transaction(async (tx) => {
      expect(await holdSession(tx, hash)).toBe(true)
      out = ana.send('POST', '/api/auth/logout-everywhere')
      await expect.poll(() => waitingForLocks(t.db)).toBe(1)
      await keepDevice(tx, ana.id, device, { now: t.clock.now(), devicesMax: 9 })
    })
    expect((await out)?.statusCode).toBe(200)
    expect(await t.rows('SELECT id FROM push_subscriptions')).toEqual([])
  })

  it('the protected account is one, whichever of eight is first, time and again', async () => {
    for (let round = 0; round < 40; round += 1) {
      await t.rows('DELETE FROM users')
      const ids = await Promise.all(
        Array.from({ length: 8 }, () => ensureLocalAdmin(t.deps.db, 'keeper', t.clock.now())),
      )
      expect(new Set(ids).size).toBe(1)
    }
  })

  it('a sign-in without a code is over before the second factor counts, and ends with it', async () => {
    const payload = { username: 'keeper', password: 'correct horse battery' }
    const { cookies } = await t.visitor.send('POST', '/api/auth/local', payload)
    const headers = { cookie: `sid=${cookies.find(({ name }) => name === 'sid')?.value}` }
    const call = (path: string, payload?: object) =>
      t.app.inject({ method: 'POST', url: `/api/admin/second-factor/${path}`, headers, payload })
    const { secret } = (await call('enrol')).json<{ secret: string }>()
    const timestamp = t.clock.now().getTime()
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })
    let confirmed: ReturnType<typeof call> | undefined
    await t.deps.db.transaction(async (tx) => {
      const userId = await ensureLocalAdmin(tx, 'keeper', t.clock.now())
      await requireSecondFactor(t.deps, tx, userId!, undefined)
      confirmed = call('confirm', { code })
      await expect.poll(() => waitingForLocks(t.db)).toBe(1)
      await openSession(t.deps, tx, { userId: userId!, kind: 'local' }, undefined)
    })
    expect((await confirmed)?.statusCode).toBe(200)
    expect(await t.rows('SELECT 1 FROM sessions')).toHaveLength(1)
  })

  it('many sign-ins clean up expired sessions without waiting for each other', async () => {
    for (let round = 0; round < 3; round += 1) await signIn(() => undefined)
    t.clock.advance(31 * 24 * 3_600)
    await Promise.all(Array.from({ length: 10 }, () => signIn(() => undefined)))
    expect(await t.rows('SELECT 1 FROM sessions')).toHaveLength(10)
  })
})
