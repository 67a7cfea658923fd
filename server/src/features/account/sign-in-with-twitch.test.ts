// Signing in with Twitch over HTTP: the whole way, and every way in which it fails.

import { beforeEach, describe, expect, it } from 'vitest'
import { useListeningDeps } from '../../../test/listening-server.ts'
import { Browser, signInAs, twitchOf } from '../../../test/sign-in.ts'
import { demoPackTypes } from '../../demo/catalogue.ts'
import { newcomerPacks } from '../../demo/viewers.ts'

const { t, origin } = await useListeningDeps()

let browser = new Browser(origin)
beforeEach(() => {
  browser = new Browser(origin)
})

const me = async (who = browser) => {
  const answer = await who.open('/api/auth/me')
  return { status: answer.status, user: (await answer.json()) as Record<string, unknown> }
}
const start = () => browser.redirectOf('/api/auth/twitch')

describe('the start', () => {
  it('redirects to the provider with everything it needs', async () => {
    const answer = await browser.open('/api/auth/twitch')
    expect(answer.status).toBe(302)
    const to = new URL(answer.headers.get('location') ?? '')
    expect(to.origin + to.pathname).toBe(`${origin}/sandbox/twitch/id/oauth2/authorize`)
    expect(Object.fromEntries(to.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'sandbox-twitch',
      redirect_uri: `${origin}/api/auth/twitch/callback`,
      scope: 'openid user:read:email',
      claims: expect.stringContaining('"preferred_username"'),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^signin=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
  })

  it('keeps neither state nor browser token in the database, only their hashes', async () => {
    const state = new URL(await start()).searchParams.get('state') ?? ''
    const rows = JSON.stringify(await t.rows('SELECT * FROM sign_in_attempts'))
    expect(rows).toContain('twitch')
    expect(rows).not.toContain(state)
    expect(rows).not.toContain(browser.cookies.get('signin'))
  })
})

describe('a first sign-in', () => {
  it('ends on the dashboard, signed in as a new user', async () => {
    expect(await browser.signIn('Ana_Banana')).toBe('/dashboard')
    expect(await me()).toEqual({
      status: 200,
      user: expect.objectContaining({
        username: 'ana_banana',
        displayName: 'Ana_Banana',
        email: 'ana_banana@example.com',
        avatar: expect.stringMatching(/^\/art\/avatar-\w+\.svg$/),
        role: 'user',
        redCoinBalance: 0,
      }),
    })
  })

  it('keys the user on the number of the person and creates it with the product clock', async () => {
    t.clock.advance(86_400)
    await browser.signIn('Ana')
    const [row] = await t.rows<{ twitch_id: string; created_at: Date; role: string }>(
      'SELECT twitch_id, created_at, role FROM users',
    )
    expect(row!.twitch_id).toMatch(/^9\d{18}$/)
    expect(row!.role).toBe('user')
    expect(Math.abs(+row!.created_at - +t.clock.now())).toBeLessThan(10_000)
  })

  it('sets a session cookie that scripts cannot read', async () => {
    const callback = await browser.consent(await start(), 'Ana')
    const answer = await browser.open(callback)
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^sid=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
  })
})

describe('a later sign-in', () => {
  it('refreshes name and picture and leaves what the user chose', async () => {
    await browser.signIn('Ana')
    await t.rows(
      `UPDATE users SET display_name = 'Chosen', email = 'own@example.org', username = 'old',
         avatar = 'old', red_coin_balance = 5`,
    )
    await browser.signIn('Ana')
    expect((await me()).user).toMatchObject({
      username: 'ana',
      avatar: expect.stringContaining('/art/'),
      displayName: 'Chosen',
      email: 'own@example.org',
      redCoinBalance: 5,
    })
    expect(await t.rows('SELECT id FROM users')).toHaveLength(1)
    expect(await t.rows('SELECT username FROM former_usernames')).toEqual([{ username: 'old' }])
    await t.rows(`UPDATE users SET username = 'newer'`)
    await t.rows(`INSERT INTO former_usernames (user_id, username, until)
      SELECT id, 'ana', now() FROM users`)
    await browser.signIn('Ana')
    expect(await t.column('SELECT username FROM former_usernames ORDER BY username')).toEqual([
      'newer',
      'old',
    ])
  })

  it('takes a new token and ends the session that the browser had', async () => {
    await browser.signIn('Ana')
    const old = browser.cookies.get('sid') ?? ''
    expect((await me()).status).toBe(200)
    await browser.signIn('Ana')
    expect(browser.cookies.get('sid')).not.toBe(old)
    const replay = await fetch(`${origin}/api/auth/me`, { headers: { cookie: `sid=${old}` } })
    expect(replay.status).toBe(401)
    expect(await t.rows('SELECT 1 FROM sessions')).toHaveLength(1)
  })

  it('ends the session of the other user whom the browser had until now', async () => {
    await browser.signIn('Ana')
    const old = browser.cookies.get('sid') ?? ''
    expect((await me()).user['username']).toBe('ana')
    await browser.signIn('Ben')
    expect((await me()).user['username']).toBe('ben')
    const replay = await fetch(`${origin}/api/auth/me`, { headers: { cookie: `sid=${old}` } })
    expect(replay.status).toBe(401)
  })

  it('opens a staff session of 12 hours for staff', async () => {
    await browser.signIn('Ana')
    await t.rows(`UPDATE users SET role = 'admin'`)
    const callback = await browser.consent(await start(), 'Ana')
    expect((await browser.open(callback)).headers.getSetCookie()[0]).toContain('Max-Age=43200;')
    expect(await t.rows('SELECT kind FROM sessions')).toEqual([{ kind: 'staff' }])
  })

  it('is refused to a user who was deleted', async () => {
    await browser.signIn('Ana')
    await t.rows('UPDATE users SET deleted_at = now()')
    expect(await new Browser(origin).signIn('Ana')).toBe('/?authError=denied')
  })
})

describe('a sign-in after leaving for good', () => {
  it('starts anew without the packs of a newcomer, while others still get them', async () => {
    await t.insert('pack_types', { name: 'Starter', image_url: demoPackTypes[0]!.imageUrl })
    await browser.signIn('Ana')
    await browser.json('/api/user', { confirm: 'ana' }, { method: 'DELETE' })
    expect(browser.cookies.has('sid')).toBe(false)
    expect(await browser.signIn('Ana')).toBe('/dashboard')
    expect(await new Browser(origin).signIn('Ben')).toBe('/dashboard')
    const packsOf = `SELECT u.username, coalesce(sum(h.quantity), 0)::int AS packs
      FROM users u LEFT JOIN user_packs h ON h.user_id = u.id GROUP BY u.id ORDER BY u.id`
    expect(await t.rows(packsOf)).toEqual([
      { username: expect.stringMatching(/^deleted-/), packs: newcomerPacks.starter },
      { username: 'ana', packs: 0 },
      { username: 'ben', packs: newcomerPacks.starter },
    ])
  })
})

describe('what goes wrong', () => {
  it('says so when the viewer refuses', async () => {
    expect(await browser.signIn('Ana', 'deny')).toBe('/?authError=denied')
    expect((await me()).status).toBe(401)
  })

  it.each([
    ['nothing at all', ''],
    ['no state', 'code=abc'],
    ['an unknown state', `code=abc&state=${'S'.repeat(43)}`],
    ['a state twice', `code=abc&state=a&state=b`],
  ])('refuses a callback with %s', async (_what, query) => {
    await start()
    expect(await browser.redirectOf(`/api/auth/twitch/callback?${query}`)).toBe('/?authError=state')
    expect(browser.cookies.has('sid')).toBe(false)
  })

  it('takes a state only in the browser that started', async () => {
    const callback = await browser.consent(await start(), 'Ana')
    const stranger = new Browser(origin)
    expect(await stranger.redirectOf(callback)).toBe('/?authError=state')
    const startedToo = new Browser(origin)
    await startedToo.redirectOf('/api/auth/twitch')
    const again = await browser.consent(await start(), 'Ana')
    expect(await startedToo.redirectOf(again)).toBe('/?authError=state')
    expect((await me(startedToo)).status).toBe(401)
  })

  it('takes a state for ten minutes, and once', async () => {
    const late = await browser.consent(await start(), 'Ana')
    t.clock.advance(600)
    expect(await browser.redirectOf(late)).toBe('/?authError=state')
    const inTime = await browser.consent(await start(), 'Ana')
    t.clock.advance(590)
    expect(await browser.redirectOf(inTime)).toBe('/dashboard')
    expect(await browser.redirectOf(inTime)).toBe('/?authError=state')
  })

  it('lets several attempts of one browser be under way', async () => {
    const [first, second] = [await start(), await start()]
    expect(await browser.redirectOf(await browser.consent(first, 'Ana'))).toBe('/dashboard')
    expect(await browser.redirectOf(await browser.consent(second, 'Ana'))).toBe('/dashboard')
  })

  it('refuses a code that the provider does not know', async () => {
    const state = new URL(await start()).searchParams.get('state') ?? ''
    expect(await browser.redirectOf(`/api/auth/twitch/callback?code=forged&state=${state}`)).toBe(
      '/?authError=provider',
    )
  })

  it('refuses a code of another sign-in, by the nonce', async () => {
    const thief = new Browser(origin)
    const stolen = new URL(await thief.consent(await thief.redirectOf('/api/auth/twitch'), 'Ana'))
    const state = new URL(await start()).searchParams.get('state') ?? ''
    const code = stolen.searchParams.get('code') ?? ''
    expect(await browser.redirectOf(`/api/auth/twitch/callback?code=${code}&state=${state}`)).toBe(
      '/?authError=provider',
    )
    expect(await t.rows('SELECT id FROM users')).toEqual([])
  })

  it('says so when the provider reports an error of its own', async () => {
    const state = new URL(await start()).searchParams.get('state') ?? ''
    expect(
      await browser.redirectOf(`/api/auth/twitch/callback?error=server_error&state=${state}`),
    ).toBe('/?authError=provider')
  })

  it('never redirects to an address of somebody else', async () => {
    for (const query of ['returnTo=//evil.example', 'return_to=https://evil.example']) {
      const to = new URL(await browser.redirectOf(`/api/auth/twitch?${query}`))
      expect(to.origin).toBe(origin)
      expect(to.href).not.toContain('evil')
    }
  })

  it('removes attempts that nobody finished', async () => {
    await start()
    t.clock.advance(700)
    await start()
    expect(await t.rows('SELECT 1 FROM sign_in_attempts')).toHaveLength(1)
  })
})

describe('a name from Twitch', () => {
  const namesFor = async (displayName: string) => {
    await signInAs(t.deps, twitchOf('4711', 'ana_b', displayName))
    const [row] = await t.rows(
      `SELECT display_name, twitch_display_name FROM users WHERE twitch_id = '4711'`,
    )
    return row
  }

  it('stands on one line, turns no text, and is the login where nothing is left', async () => {
    expect(await namesFor('Ana\n\u202eadmin: hi\u2066')).toEqual({
      display_name: 'Ana admin: hi',
      twitch_display_name: 'Ana admin: hi',
    })
    expect(await namesFor('\u200b\n')).toMatchObject({ twitch_display_name: 'ana_b' })
  })
})
