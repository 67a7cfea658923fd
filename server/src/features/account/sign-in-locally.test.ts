// The local sign-in over HTTP: who gets in, what everybody else learns, and how guessing is slowed.

import { describe, expect, it, vi } from 'vitest'
import {
  createTestDeps,
  emptyDatabase,
  type TestDeps,
  testConfig,
  told,
  useTestDeps,
} from '../../../test/deps.ts'
import { argon2Passwords, type Passwords } from '../../adapters/passwords/passwords.ts'
import { localAccount } from './local-account.ts'

const pair = { username: 'keeper', password: 'correct horse battery' }
const settings = { LOCAL_ADMIN_USERNAME: pair.username, LOCAL_ADMIN_PASSWORD: pair.password }

const signIn = (deps: TestDeps, body: unknown, remoteAddress = '198.51.100.7') =>
  deps.app.inject({
    method: 'POST',
    url: '/api/auth/local',
    payload: body as object,
    remoteAddress,
  })

/** The dependencies with other settings over the same database. */
async function withSettings(
  t: TestDeps,
  environment: Record<string, string>,
  test: (deps: TestDeps) => Promise<void>,
) {
  const other = await createTestDeps(t.db, environment)
  try {
    await test(other)
  } finally {
    await other.app.close()
  }
}

describe('with limits off', () => {
  const t = useTestDeps(settings)

  it('signs in the protected account with the right pair', async () => {
    const answer = await signIn(t, pair)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      success: true,
      message: 'Local admin login successful',
      user: expect.objectContaining({ username: 'keeper', role: 'super_user', redCoinBalance: 0 }),
    })
    const [cookie] = [answer.headers['set-cookie']].flat()
    expect(cookie).toMatch(/^sid=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/)
    const headers = { cookie: cookie!.split(';')[0]! }
    expect((await t.visitor.get('/api/auth/me', headers)).json()).toEqual(answer.json().user)
  })

  it('makes its row on first use and keeps to it', async () => {
    expect(await t.rows('SELECT 1 FROM users')).toEqual([])
    const first = (await signIn(t, pair)).json().user.id
    expect((await signIn(t, pair)).json().user.id).toBe(first)
    expect(await t.rows('SELECT twitch_id, role, is_protected FROM users')).toEqual([
      { twitch_id: 'local-admin', role: 'super_user', is_protected: true },
    ])
    expect(await t.rows('SELECT DISTINCT kind FROM sessions')).toEqual([{ kind: 'local' }])
  })

  it('answers an unknown name and a wrong password alike', async () => {
    const wrong = [
      { username: pair.username, password: 'wrong' },
      { username: 'nobody', password: pair.password },
      { username: 'nobody', password: 'wrong' },
      { username: pair.username.toUpperCase(), password: pair.password },
      { username: pair.username, password: ` ${pair.password}` },
    ]
    for (const body of wrong) {
      const answer = await signIn(t, body)
      expect(answer.statusCode).toBe(401)
      expect(answer.json()).toMatchObject({
        code: 'invalid_credentials',
        message: 'Invalid credentials',
        error: 'Invalid credentials',
      })
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
    expect(await t.rows('SELECT 1 FROM users')).toEqual([])
  })

  it('does the same work for an unknown name, a wrong password and no account at all', async () => {
    const work: string[] = []
    const counting: Passwords = {
      hash: async (password) => `hash of ${password}`,
      isRight: async (hash, password) => {
        work.push(password)
        return hash === `hash of ${password}`
      },
    }
    const account = localAccount({ ...t.deps, passwords: counting })
    const closed = localAccount({ ...t.deps, passwords: counting, config: testConfig() })
    expect(await account.isRight('nobody', 'wrong')).toBe(false)
    expect(await account.isRight(pair.username, 'wrong')).toBe(false)
    expect(await account.isRight('nobody', pair.password)).toBe(false)
    expect(await closed.isRight(pair.username, 'wrong')).toBe(false)
    expect(await account.isRight(pair.username, pair.password)).toBe(true)
    expect(work).toEqual(['wrong', 'wrong', pair.password, 'wrong', pair.password])
  })

  it.each([
    {},
    { username: '', password: '' },
    { username: pair.username },
    { username: '   ', password: pair.password },
    { username: pair.username, password: '' },
    { username: pair.username, password: '  ' },
    { username: 5, password: pair.password },
    { username: pair.username, password: ['x'] },
    { username: null, password: null },
  ])('answers 400 to the blank pair %j', async (body) => {
    expect(await told(signIn(t, body))).toBe('400 Username and password are required')
  })

  it('is closed while no pair is set', async () => {
    await withSettings(t, {}, async (closed) => {
      for (const body of [pair, { username: 'admin', password: 'admin' }]) {
        expect((await signIn(closed, body)).statusCode).toBe(401)
      }
    })
  })

  it('ends what an earlier pair has opened, and nothing else', async () => {
    const [cookie] = [(await signIn(t, pair)).headers['set-cookie']].flat()
    const headers = { cookie: cookie!.split(';')[0]! }
    const ana = await t.person('ana')
    const statuses = async (LOCAL_ADMIN_PASSWORD: string) => {
      let found: number[] = []
      await withSettings(t, { ...settings, LOCAL_ADMIN_PASSWORD }, async ({ app }) => {
        const mine = await app.inject({ url: '/api/auth/me', headers })
        found = [mine.statusCode, (await ana.get('/api/auth/me')).statusCode]
      })
      return found
    }
    expect(await statuses(pair.password)).toEqual([200, 200])
    expect(await statuses('a new horse battery')).toEqual([401, 200])
    expect(await statuses(pair.password)).toEqual([401, 200])
  })

  it('never writes the password down', async () => {
    const logged: unknown[] = []
    const warn = vi.spyOn(t.deps.log, 'warn').mockImplementation((...all) => logged.push(all))
    await signIn(t, { username: pair.username, password: 'wrong-canary' })
    warn.mockRestore()
    expect(logged).toHaveLength(1)
    expect(JSON.stringify(logged)).not.toContain('canary')
    await signIn(t, pair)
    const stored = await t.rows('SELECT * FROM users')
    expect(JSON.stringify(stored)).not.toContain(pair.password)
  })

  it('hashes with Argon2id, 19 MiB, two passes and one lane', async () => {
    expect(await argon2Passwords.hash('x')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })
})

describe('with limits on', () => {
  const t = useTestDeps(settings)
  const wrong = { username: pair.username, password: 'wrong' }
  const limited = (test: (deps: TestDeps) => Promise<void>) => async () => {
    await emptyDatabase(t.db)
    await withSettings(t, { ...settings, RATE_LIMITS: 'on' }, test)
  }

  it(
    'refuses a name for 15 minutes after five failures from one address, the right password too',
    limited(async (deps) => {
      for (let failure = 0; failure < 5; failure += 1) {
        expect((await signIn(deps, wrong)).statusCode).toBe(401)
      }
      const answer = await signIn(deps, pair)
      expect(answer.statusCode).toBe(429)
      expect(answer.json().code).toBe('rate_limited')
      expect(answer.json().message).toMatch(/^Too many failed sign-ins, try again in 15 minutes$/)
      const wait = Number(answer.headers['retry-after'])
      expect(wait).toBeGreaterThan(890)
      expect(wait).toBeLessThanOrEqual(900)
      expect((await signIn(deps, pair, '203.0.113.9')).statusCode).toBe(200)
      deps.clock.advance(899)
      expect((await signIn(deps, pair)).statusCode).toBe(429)
      deps.clock.advance(2)
      expect((await signIn(deps, pair)).statusCode).toBe(200)
    }),
  )

  it(
    'refuses an address after ten failures under any names',
    limited(async (deps) => {
      for (let failure = 0; failure < 10; failure += 1) {
        const body = { username: `name-${failure}`, password: 'wrong' }
        expect((await signIn(deps, body)).statusCode).toBe(401)
      }
      expect((await signIn(deps, pair)).statusCode).toBe(429)
    }),
  )

  it(
    'does not count what succeeds',
    limited(async (deps) => {
      for (let round = 0; round < 12; round += 1) {
        expect((await signIn(deps, pair)).statusCode).toBe(200)
      }
    }),
  )

  it(
    'evaluates at most five of a thousand guesses at once',
    limited(async (deps) => {
      const guesses = Array.from({ length: 1000 }, (_, index) =>
        signIn(deps, { username: pair.username, password: `guess ${index}` }),
      )
      const statuses = (await Promise.all(guesses)).map((answer) => answer.statusCode)
      expect(statuses.filter((status) => status === 401)).toHaveLength(5)
      expect(statuses.filter((status) => status === 429)).toHaveLength(995)
    }),
  )
})
