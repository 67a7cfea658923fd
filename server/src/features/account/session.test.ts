// Sessions as callers see them: who is let in, for how long, and how every way out ends them.

import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Person, useTestDeps } from '../../../test/deps.ts'
import { newToken, tokenHash } from './tokens.ts'

const t = useTestDeps()
const hour = 3_600
const day = 24 * hour

const setCookies = (answer: { headers: Record<string, unknown> }): string[] => {
  const header = answer.headers['set-cookie']
  return header === undefined ? [] : Array.isArray(header) ? header : [String(header)]
}

/** That an answer ends every cookie, that of a sign-in under way too. */
const expectCookiesEnd = (answer: { headers: Record<string, unknown> }) =>
  expect(setCookies(answer).map((line) => line.split('; ').slice(0, 2))).toEqual([
    ['sid=', 'Max-Age=0'],
    ['signin=', 'Max-Age=0'],
  ])

describe('the session call', () => {
  it('answers 401 with one sentence twice without a session', async () => {
    const answer = await t.app.inject('/api/auth/me')
    expect(answer.statusCode).toBe(401)
    expect(answer.json()).toMatchObject({
      code: 'unauthorized',
      message: 'Unauthorized',
      error: 'Unauthorized',
    })
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('answers the bare user and nothing else', async () => {
    const ana = await t.person('Ana', { role: 'admin', coins: 1234 })
    await t.rows(
      `UPDATE users SET display_name = 'Ana B', email = 'ana@example.org', avatar = '/a.png',
         solana_wallet = 'w', discord_id = '7', discord_username = 'ana.b', discord_avatar = 'd'
       WHERE id = $1`,
      [ana.id],
    )
    const answer = await ana.get('/api/auth/me')
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.json()).toEqual({
      id: ana.id,
      username: 'Ana',
      displayName: 'Ana B',
      email: 'ana@example.org',
      avatar: '/a.png',
      role: 'admin',
      redCoinBalance: 1234,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      solanaWallet: 'w',
      discordId: '7',
      discordUsername: 'ana.b',
      discordAvatar: 'd',
      suspension: null,
    })
  })

  it('shows a change at once when it is told, within two seconds when it is not', async () => {
    const ana = await t.person('Ana')
    await ana.get('/api/auth/me')
    await t.rows('UPDATE users SET red_coin_balance = 7 WHERE id = $1', [ana.id])
    expect((await ana.get('/api/auth/me')).json().redCoinBalance).toBe(0)
    t.deps.events.publish({ type: 'user_changed', userId: ana.id })
    expect((await ana.get('/api/auth/me')).json().redCoinBalance).toBe(7)
    await t.rows('UPDATE users SET red_coin_balance = 8 WHERE id = $1', [ana.id])
    t.clock.advance(2)
    expect((await ana.get('/api/auth/me')).json().redCoinBalance).toBe(8)
  })

  it('keeps no token, only its hash', async () => {
    const ana = await t.person('Ana')
    const token = ana.cookie.slice('sid='.length)
    const [row] = await t.rows<{ token_hash: string }>('SELECT token_hash FROM sessions')
    expect(row!.token_hash).toMatch(/^[0-9a-f]{64}$/)
    expect(row!.token_hash).not.toContain(token)
  })

  it.each(['', 'short', `${'A'.repeat(43)}`, `${'A'.repeat(42)}*`, '"quoted"'])(
    'answers 401 to the unknown token %j and takes the cookie away',
    async (token) => {
      const answer = await t.app.inject({
        url: '/api/auth/me',
        headers: { cookie: `a=1; sid=${token}; b=2` },
      })
      expect(answer.statusCode).toBe(401)
      expect(setCookies(answer)).toEqual([
        'sid=; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/; HttpOnly; SameSite=Lax',
      ])
    },
  )

  // The answer may come after the one that has put another session into the same browser.
  it('leaves the cookie of a session that has only just ended, and takes it away later', async () => {
    const ana = await t.person('Ana')
    await t.rows('DELETE FROM sessions')
    const first = await ana.get('/api/auth/me')
    expect([first.statusCode, setCookies(first)]).toEqual([401, []])
    await t.rows("UPDATE ended_sessions SET ended_at = ended_at - interval '1 minute'")
    const later = await ana.get('/api/auth/me')
    expect([later.statusCode, setCookies(later)[0]]).toEqual([
      401,
      expect.stringContaining('sid=; Max-Age=0'),
    ])
  })

  it('lets nobody in as a user who was deleted', async () => {
    const ana = await t.person('Ana')
    await t.rows('UPDATE users SET deleted_at = now() WHERE id = $1', [ana.id])
    expect((await ana.get('/api/auth/me')).statusCode).toBe(401)
  })

  it('answers a hundred requests at once with one read', async () => {
    const ana = await t.person('Ana')
    const read = vi.spyOn(t.db, 'run')
    const answers = await Promise.all(Array.from({ length: 100 }, () => ana.get('/api/auth/me')))
    expect(read).toHaveBeenCalledTimes(1)
    read.mockRestore()
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([200]))
  })
})

describe('how long a session lives', () => {
  const openedNow = async (kind: string, seconds: number) => {
    const person = await t.person('Ana')
    const now = t.clock.now()
    await t.rows(
      `UPDATE sessions SET kind = $2, created_at = $3, last_seen_at = $3, expires_at = $4
       WHERE user_id = $1`,
      [person.id, kind, now, new Date(now.getTime() + seconds * 1000)],
    )
    return person
  }

  it('slides for players: 30 days from the last visit, and the cookie with it', async () => {
    const ana = await openedNow('player', 30 * day)
    t.clock.advance(29 * day)
    const answer = await ana.get('/api/auth/me')
    expect(answer.statusCode).toBe(200)
    expect(setCookies(answer)[0]).toMatch(new RegExp(`^${ana.cookie}; Max-Age=${30 * day}; `))
    t.clock.advance(29 * day)
    expect((await ana.get('/api/auth/me')).statusCode).toBe(200)
    t.clock.advance(30 * day)
    const late = await ana.get('/api/auth/me')
    expect(late.statusCode).toBe(401)
    expect(await t.rows('SELECT 1 FROM sessions')).toEqual([])
  })

  it('writes a player down as seen at most once an hour', async () => {
    const ana = await openedNow('player', 30 * day)
    const seen = async () =>
      (await t.rows<{ last_seen_at: Date }>('SELECT last_seen_at FROM sessions'))[0]!.last_seen_at
    const before = await seen()
    t.clock.advance(hour - 10)
    expect(setCookies(await ana.get('/api/auth/me'))).toEqual([])
    expect(await seen()).toEqual(before)
    t.clock.advance(20)
    await ana.get('/api/auth/me')
    expect((await seen()).getTime()).toBeGreaterThan(before.getTime())
  })

  it('goes on while nothing can be written, tried once a minute, and ends all the same', async () => {
    const ana = await openedNow('player', 30 * day)
    onTestFinished(() => void vi.restoreAllMocks())
    const tried: string[] = []
    const { run } = t.db
    const readOnly = () =>
      vi.spyOn(t.db, 'run').mockImplementation(async (statement, values) => {
        if (!/^(renew|remove)_session$/.test(statement.name)) return run(statement, values) as never
        tried.push(statement.name)
        throw Object.assign(new Error('only reading'), { code: '25006' })
      })
    const spy = readOnly()
    for (const seconds of [2 * hour, 3]) {
      t.clock.advance(seconds)
      const answer = await ana.get('/api/auth/me')
      expect([answer.statusCode, setCookies(answer)]).toEqual([200, []])
    }
    expect(tried).toEqual(['renew_session'])
    spy.mockRestore()
    t.clock.advance(60)
    expect(setCookies(await ana.get('/api/auth/me'))).toHaveLength(1)
    readOnly()
    t.clock.advance(31 * day)
    expect((await ana.get('/api/auth/me')).statusCode).toBe(401)
  })

  it('ends after 12 hours for a player who became staff', async () => {
    const ana = await openedNow('player', 30 * day)
    t.clock.advance(11 * hour)
    await t.rows(`UPDATE users SET role = 'admin' WHERE id = $1`, [ana.id])
    expect((await ana.get('/api/auth/me')).json().role).toBe('admin')
    t.clock.advance(hour)
    expect((await ana.get('/api/auth/me')).statusCode).toBe(401)
  })
})

describe('signing out', () => {
  it('ends the session with a JSON content type and no body, and the old cookie is worth nothing', async () => {
    const ana = await t.person('Ana')
    await ana.get('/api/auth/me')
    const heard: unknown[] = []
    const stop = t.deps.events.subscribe((event) => heard.push(event))
    const answer = await t.app.inject({
      method: 'POST',
      url: '/api/auth/logout',
      headers: { cookie: ana.cookie, 'content-type': 'application/json' },
    })
    stop()
    expect(heard).toEqual([{ type: 'sessions_ended', userId: ana.id }])
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({ success: true, message: 'Logged out successfully' })
    expectCookiesEnd(answer)
    expect(await t.rows('SELECT 1 FROM sessions')).toEqual([])
    expect((await ana.get('/api/auth/me')).statusCode).toBe(401)
  })

  it('succeeds without a session, without a body and with a stale cookie', async () => {
    const stale = { cookie: `sid=${'A'.repeat(43)}` }
    for (const headers of [{}, stale]) {
      const answer = await t.app.inject({ method: 'POST', url: '/api/auth/logout', headers })
      expect(answer.statusCode).toBe(200)
      expect(answer.json().success).toBe(true)
    }
  })

  /** The status that another browser of this person gets from now on. */
  async function otherBrowser({ id }: Person): Promise<() => Promise<number>> {
    const token = newToken(t.deps.random)
    const now = t.clock.now()
    await t.rows(
      `INSERT INTO sessions (token_hash, user_id, kind, created_at, last_seen_at, expires_at)
       VALUES ($1, $2, 'player', $3, $3, $4)`,
      [tokenHash(token), id, now, new Date(+now + 1e6)],
    )
    const me = { url: '/api/auth/me', headers: { cookie: `sid=${token}` } }
    return async () => (await t.app.inject(me)).statusCode
  }

  it('leaves the sessions on other devices alone', async () => {
    const ana = await t.person('Ana')
    const status = await otherBrowser(ana)
    await ana.send('POST', '/api/auth/logout')
    expect(await status()).toBe(200)
  })

  it('ends them all where that is asked, at once, and those of nobody else', async () => {
    const [ana, ben] = [await t.person('Ana'), await t.person('Ben')]
    const status = await otherBrowser(ana)
    expect(await status()).toBe(200)
    const answer = await ana.send('POST', '/api/auth/logout-everywhere')
    expect([answer.statusCode, setCookies(answer)[0]]).toEqual([
      200,
      expect.stringContaining('sid=; Max-Age=0'),
    ])
    expect([await status(), (await ana.get('/api/auth/me')).statusCode]).toEqual([401, 401])
    expect((await ben.get('/api/auth/me')).statusCode).toBe(200)
  })

  it.each([
    ['GET', 'same-origin', '"cache"'],
    ['POST', 'same-origin', '"cache"'],
    ['GET', 'none', '"cache", "storage"'],
  ] as const)(
    'works as a last resort by %s from %s, redirecting to the landing page',
    async (method, site, cleared) => {
      const ana = await t.person('Ana')
      const answer = await t.app.inject({
        method,
        url: '/api/auth/emergency-logout',
        headers: { cookie: ana.cookie, 'sec-fetch-site': site },
      })
      expect(answer.statusCode).toBe(302)
      expect(answer.headers['location']).toBe('/')
      // A page of ours empties its storages itself, and keeps what it remembers of draws.
      expect(answer.headers['clear-site-data']).toBe(cleared)
      expectCookiesEnd(answer)
      expect((await ana.get('/api/auth/me')).statusCode).toBe(401)
    },
  )

  it.each([
    ['application/x-www-form-urlencoded', 'confirm=yes'],
    [
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--b--',
    ],
    ['text/plain', 'x'],
  ])('works from a plain form that sends %s', async (type, payload) => {
    for (const url of ['/api/auth/emergency-logout', '/api/auth/logout']) {
      const ana = await t.person('Ana')
      const answer = await t.app.inject({
        method: 'POST',
        url,
        payload,
        headers: { cookie: ana.cookie, 'content-type': type, 'sec-fetch-site': 'same-origin' },
      })
      expect([url, answer.statusCode]).toEqual([url, url.includes('emergency') ? 302 : 200])
      expect((await ana.get('/api/auth/me')).statusCode).toBe(401)
      await t.rows('DELETE FROM users')
    }
  })

  it('redirects and takes the cookie away even when the database is out of reach', async () => {
    const ana = await t.person('Ana')
    const broken = vi.spyOn(t.db, 'run').mockRejectedValue(new Error('connection lost'))
    const answer = await ana.get('/api/auth/emergency-logout')
    broken.mockRestore()
    expect(answer.statusCode).toBe(302)
    expect(answer.headers['location']).toBe('/')
    expect(setCookies(answer)[0]).toContain('sid=; Max-Age=0')
  })

  it.each([
    ['GET', { 'sec-fetch-site': 'cross-site' }],
    ['POST', { 'sec-fetch-site': 'cross-site' }],
    ['GET', { 'sec-fetch-site': 'same-site' }],
    ['POST', { origin: 'https://evil.example' }],
    ['POST', { origin: 'null' }],
    ['GET', { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'image' }],
    ['GET', { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'iframe' }],
    ['GET', { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' }],
    ['GET', { 'sec-fetch-dest': 'document', 'sec-purpose': 'prefetch;prerender' }],
  ] as const)(
    'signs nobody out for another site, a part of a page or a guess of the browser: %s %j',
    async (method, headers) => {
      const ana = await t.person('Ana')
      const answer = await t.app.inject({
        method,
        url: '/api/auth/emergency-logout',
        headers: { cookie: ana.cookie, ...headers },
      })
      expect(answer.statusCode).toBe(302)
      expect(answer.headers['location']).toBe('/')
      expect(setCookies(answer)).toEqual([])
      expect((await ana.get('/api/auth/me')).statusCode).toBe(200)
    },
  )
})
