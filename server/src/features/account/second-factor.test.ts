// The second factor of the local account: enrolling, signing in with it, losing and ending it.

import { Secret, TOTP, URI } from 'otpauth'
import { beforeEach, describe, expect, it } from 'vitest'
import { coded, useTestDeps } from '../../../test/deps.ts'

const password = 'a long enough password'
const settings = {
  SEED_DEMO: 'off',
  LOCAL_ADMIN_USERNAME: 'keeper',
  LOCAL_ADMIN_PASSWORD: password,
}
const t = useTestDeps(settings)
const base = '/api/admin/second-factor'
let cookie = ''

function signIn(code?: string, secretWord = password) {
  const payload = {
    username: 'keeper',
    password: secretWord,
    ...(code === undefined ? {} : { code }),
  }
  return t.visitor.send('POST', '/api/auth/local', payload)
}
type Answer = Awaited<ReturnType<typeof signIn>>

const cookieOf = (answer: Answer) =>
  `sid=${answer.cookies.find(({ name }) => name === 'sid')!.value}`
const call = (method: 'GET' | 'POST', path: string, payload?: object) =>
  t.app.inject({
    method,
    url: `${base}${path}`,
    headers: { cookie },
    ...(payload === undefined ? {} : { payload }),
  })

/** What an authenticator app shows `stepsAway` steps of 30 seconds from now. */
function codeOf(secret: string, stepsAway = 0): string {
  const timestamp = t.clock.now().getTime() + stepsAway * 30_000
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })
}

const enrol = async () =>
  (await call('POST', '/enrol')).json() as { secret: string; otpauthUrl: string }

/** Switches it on and moves to the next step, since the code of this one is used up. */
async function switchOn(): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret } = await enrol()
  const answer = await call('POST', '/confirm', { code: codeOf(secret) })
  expect(answer.statusCode).toBe(200)
  t.clock.advance(30)
  return { secret, recoveryCodes: answer.json().recoveryCodes }
}

beforeEach(async () => {
  cookie = cookieOf(await signIn())
})

describe('enrolling', () => {
  it('shows a secret that an app can read, and keeps it sealed', async () => {
    const { secret, otpauthUrl } = await enrol()
    const read = URI.parse(otpauthUrl) as TOTP
    expect([read.issuer, read.label, read.secret.base32]).toEqual(['Redpack', 'keeper', secret])
    expect([read.algorithm, read.digits, read.period]).toEqual(['SHA1', 6, 30])
    expect(read.secret.bytes).toHaveLength(20)
    const stored = JSON.stringify(await t.rows('SELECT * FROM second_factors'))
    expect(stored).not.toContain(secret)
    expect(stored).toContain('keyId')
  })

  it('counts only once a code confirms it; until then it can be started over', async () => {
    const first = await enrol()
    const second = await enrol()
    expect(second.secret).not.toBe(first.secret)
    expect((await call('GET', '')).json()).toEqual({
      isAvailable: true,
      isEnabled: false,
      enabledAt: null,
      recoveryCodesLeft: 0,
    })
    expect((await signIn()).statusCode).toBe(200)
    expect(await coded(call('POST', '/recovery-codes', { code: codeOf(second.secret) }))).toBe(
      '409 wrong_state',
    )
    expect(await coded(call('POST', '/confirm', { code: codeOf(first.secret) }))).toBe(
      '401 second_factor_invalid',
    )
    const right = await call('POST', '/confirm', { code: codeOf(second.secret) })
    expect(right.statusCode).toBe(200)
    expect(new Set(right.json().recoveryCodes).size).toBe(10)
    expect((await call('GET', '')).json()).toMatchObject({ isEnabled: true, recoveryCodesLeft: 10 })
    for (const path of ['/enrol', '/confirm']) {
      const again = await call('POST', path, { code: codeOf(second.secret) })
      expect([path, again.statusCode]).toEqual([path, 409])
    }
    const actions = await t.rows('SELECT action FROM audit_log')
    expect(actions).toEqual([{ action: 'second_factor.enable' }])
  })

  it('ends the other sessions of the account, which were opened without a code', async () => {
    const other = cookieOf(await signIn())
    const status = async (sid: string) => (await t.visitor.get(base, { cookie: sid })).statusCode
    expect([await status(cookie), await status(other)]).toEqual([200, 200])
    await switchOn()
    expect([await status(cookie), await status(other)]).toEqual([200, 401])
  })

  it('is for the local account alone', async () => {
    const boss = await t.person('boss', { role: 'super_user' })
    expect(await boss.read(base)).toMatchObject({ isAvailable: false, isEnabled: false })
    for (const path of ['/enrol', '/confirm', '/recovery-codes', '/turn-off']) {
      const answer = await boss.send('POST', `${base}${path}`, { code: '123456' })
      expect([path, answer.statusCode]).toEqual([path, 409])
    }
    expect(await t.rows('SELECT * FROM second_factors')).toEqual([])
  })
})

describe('signing in with it', () => {
  it('asks for the code once the password is right, and not before', async () => {
    const { secret } = await switchOn()
    const asked = await signIn()
    expect([asked.statusCode, asked.json().code]).toEqual([401, 'second_factor_required'])
    expect(asked.cookies).toEqual([])
    for (const code of [undefined, codeOf(secret)]) {
      expect(await coded(signIn(code, 'a wrong password'))).toBe('401 invalid_credentials')
    }
    const right = await signIn(codeOf(secret))
    expect(right.statusCode).toBe(200)
    cookie = cookieOf(right)
    expect((await call('GET', '')).statusCode).toBe(200)
  })

  it('takes no code twice, and none from before one that was used', async () => {
    const { secret } = await switchOn()
    const code = codeOf(secret)
    expect((await signIn(code)).statusCode).toBe(200)
    expect(await coded(signIn(code))).toBe('401 second_factor_invalid')
    expect((await signIn(codeOf(secret, -1))).statusCode).toBe(401)
    t.clock.advance(30)
    expect((await signIn(codeOf(secret))).statusCode).toBe(200)
  })

  it('forgives a clock that is half a minute off, and no more', async () => {
    const { secret } = await switchOn()
    t.clock.advance(300)
    expect((await signIn(codeOf(secret, -2))).statusCode).toBe(401)
    expect((await signIn(codeOf(secret, 2))).statusCode).toBe(401)
    expect((await signIn(codeOf(secret, -1))).statusCode).toBe(200)
    expect((await signIn(codeOf(secret, 1))).statusCode).toBe(200)
  })

  it('takes each recovery code once, however it is written', async () => {
    const { recoveryCodes } = await switchOn()
    const [first, second] = recoveryCodes as [string, string]
    expect(first).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/)
    expect((await signIn(first)).statusCode).toBe(200)
    expect((await signIn(first)).statusCode).toBe(401)
    expect((await signIn(second.toLowerCase().replaceAll('-', ' '))).statusCode).toBe(200)
    expect((await signIn('AAAA-AAAA-AAAA-AAAA')).statusCode).toBe(401)
    expect((await call('GET', '')).json().recoveryCodesLeft).toBe(8)
    expect(JSON.stringify(await t.rows('SELECT * FROM recovery_codes'))).not.toContain(first)
  })
})

describe('what concerns everybody', () => {
  const calls = [
    ['POST', '/api/admin/remove-all-redcoin'],
    ['POST', '/api/admin/remove-all-packs'],
    ['POST', '/api/admin/reset-pack-openings'],
    ['DELETE', '/api/admin/prize-claims'],
  ] as const
  const tryAll = async (headers: { cookie: string }) => {
    const answers: string[] = []
    for (const [method, url] of calls) {
      const answer = await t.app.inject({ method, url, headers })
      answers.push(`${answer.statusCode} ${answer.json().code ?? 'done'}`)
    }
    return new Set(answers)
  }
  const confirm = (code: string) => call('POST', '/confirm-session', { code })
  const asked = new Set(['403 confirmation_needed'])
  const done = new Set(['200 done'])

  it('asks for no code where no second factor is on', async () => {
    expect(await tryAll({ cookie })).toEqual(done)
    await enrol()
    expect(await tryAll({ cookie })).toEqual(done)
    const boss = await t.person('boss', { role: 'admin' })
    await switchOn()
    expect(await tryAll({ cookie: boss.cookie })).toEqual(done)
  })

  it('asks for a code, and once it has one lets the session do it for 5 minutes', async () => {
    await t.person('ana', { coins: 10 })
    const { secret } = await switchOn()
    expect(await tryAll({ cookie })).toEqual(asked)
    expect(await t.column('SELECT sum(red_coin_balance)::int AS coins FROM users')).toEqual([10])
    const answer = await confirm(codeOf(secret))
    expect(answer.statusCode).toBe(200)
    const left = Date.parse(answer.json().confirmedUntil) - t.clock.now().getTime()
    expect(left).toBeGreaterThan(295_000)
    expect(left).toBeLessThanOrEqual(300_000)
    expect(await tryAll({ cookie })).toEqual(done)
    t.clock.advance(290)
    expect(await tryAll({ cookie })).toEqual(done)
    t.clock.advance(10)
    expect(await tryAll({ cookie })).toEqual(asked)
  })

  it('asks also before a grant to everybody is taken back', async () => {
    const boss = await t.person('boss', { role: 'admin' })
    const reverse = async (to: string, target: object) => {
      const order = { ...target, amount: 1, description: 'x' }
      await boss.send('POST', '/api/admin/distribute-redcoin', order)
      const { batches } = await boss.read(`/api/admin/batches?recipients=${to}`)
      const url = `/api/admin/batches/${batches[0].id}/reverse`
      return () => coded(t.visitor.send('POST', url, undefined, { cookie }))
    }
    const { secret } = await switchOn()
    const all = await reverse('everyone', { allUsers: true })
    expect(await all()).toBe('403 confirmation_needed')
    expect(await (await reverse('named', { usernames: ['boss'] }))()).toBe('200 undefined')
    await confirm(codeOf(secret))
    expect(await all()).toBe('200 undefined')
  })

  it('answers a repeated call from what is stored, also when its five minutes are over', async () => {
    await t.person('ana', { coins: 10 })
    const boss = await t.person('boss', { role: 'admin' })
    const grant = { allUsers: true, amount: 1, description: 'x' }
    await boss.send('POST', '/api/admin/distribute-redcoin', grant)
    const { batches } = await boss.read('/api/admin/batches?recipients=everyone')
    const { secret } = await switchOn()
    const calls = ['remove-all-redcoin', 'remove-all-packs', `batches/${batches[0].id}/reverse`]
    const all = async (key: string) => {
      const answers = []
      for (const name of calls) {
        const headers = { cookie, 'idempotency-key': key }
        answers.push(await t.visitor.send('POST', `/api/admin/${name}`, undefined, headers))
      }
      return answers
    }
    const codes = async (key: string) => (await all(key)).map((answer) => answer.json().code)
    const refused = calls.map(() => 'confirmation_needed')
    expect(await codes('one')).toEqual(refused)
    await confirm(codeOf(secret))
    const first = await all('one')
    expect(first.map((answer) => answer.json().message)).toEqual([
      'Removed 12 RedCoin from 2 users',
      'There was nothing to remove: nobody has any packs',
      'Took back 0 of 2 RedCoin',
    ])
    t.clock.advance(300)
    const second = await all('one')
    expect(second.map(({ body }) => body)).toEqual(first.map(({ body }) => body))
    expect(await codes('two')).toEqual(refused)
  })

  it('takes a code once, a recovery code too, and no wrong one', async () => {
    const { secret, recoveryCodes } = await switchOn()
    for (const wrong of ['000000', 'AAAA-AAAA-AAAA-AAAA']) {
      expect(await coded(confirm(wrong))).toBe('401 second_factor_invalid')
    }
    expect((await call('POST', '/confirm-session', {})).statusCode).toBe(400)
    expect(await tryAll({ cookie })).toEqual(asked)
    const code = codeOf(secret)
    expect((await confirm(code)).statusCode).toBe(200)
    expect((await confirm(code)).statusCode).toBe(401)
    t.clock.advance(301)
    expect((await confirm(recoveryCodes[0]!)).statusCode).toBe(200)
    expect((await confirm(recoveryCodes[0]!)).statusCode).toBe(401)
    expect(await tryAll({ cookie })).toEqual(done)
  })

  it('counts for the session that has confirmed, and for no other', async () => {
    const { secret } = await switchOn()
    expect((await confirm(codeOf(secret))).statusCode).toBe(200)
    t.clock.advance(30)
    const other = cookieOf(await signIn(codeOf(secret)))
    expect(await tryAll({ cookie: other })).toEqual(asked)
    expect(await tryAll({ cookie })).toEqual(done)
  })

  it('has nothing to confirm for who has no second factor', async () => {
    expect((await confirm('123456')).statusCode).toBe(409)
    const boss = await t.person('boss', { role: 'admin' })
    const answer = await boss.send('POST', `${base}/confirm-session`, { code: '123456' })
    expect(answer.statusCode).toBe(409)
  })
})

describe('a code of the app or a recovery code', () => {
  it('switches it off, and without one it stays', async () => {
    const { secret } = await switchOn()
    expect(await coded(call('POST', '/turn-off', { code: '000000' }))).toBe(
      '401 second_factor_invalid',
    )
    expect((await call('POST', '/turn-off', {})).statusCode).toBe(400)
    expect((await call('POST', '/turn-off', { code: codeOf(secret) })).statusCode).toBe(200)
    expect(await t.rows('SELECT * FROM second_factors, recovery_codes')).toEqual([])
    expect((await signIn()).statusCode).toBe(200)
    expect((await call('POST', '/turn-off', { code: codeOf(secret) })).statusCode).toBe(409)
  })

  it('makes new recovery codes, and the old ones are worth nothing', async () => {
    const { recoveryCodes } = await switchOn()
    const [used, old] = recoveryCodes as [string, string]
    const renewed = await call('POST', '/recovery-codes', { code: used })
    expect(renewed.statusCode).toBe(200)
    expect((await signIn(old)).statusCode).toBe(401)
    expect((await signIn(renewed.json().recoveryCodes[0])).statusCode).toBe(200)
  })
})
