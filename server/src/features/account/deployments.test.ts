// What signing in looks like outside the sandbox: under https, and without provider settings.

import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { coded, createTestDeps, useTestDeps } from '../../../test/deps.ts'

const t = useTestDeps()
const withSettings = async (environment: Record<string, string>) => {
  const deps = await createTestDeps(t.db, environment)
  onTestFinished(() => deps.app.close())
  return { deps, inject: deps.app.inject.bind(deps.app) as typeof deps.app.inject }
}

describe('under https', () => {
  const https = {
    PUBLIC_URL: 'https://play.example.com',
    LOCAL_ADMIN_USERNAME: 'keeper',
    LOCAL_ADMIN_PASSWORD: 'correct horse battery',
  }

  it('names its cookies so that browsers pin them to this host, and sends them encrypted only', async () => {
    const { inject } = await withSettings(https)
    const payload = { username: 'keeper', password: 'correct horse battery' }
    const signIn = await inject({ method: 'POST', url: '/api/auth/local', payload })
    const cookie = String(signIn.headers['set-cookie'])
    expect(cookie).toMatch(
      /^__Host-sid=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    )
    expect(cookie).not.toContain('Domain')
    const token = cookie.split(';')[0]!
    expect((await inject({ url: '/api/auth/me', headers: { cookie: token } })).statusCode).toBe(200)
    const bare = { cookie: token.replace('__Host-', '') }
    expect((await inject({ url: '/api/auth/me', headers: bare })).statusCode).toBe(401)
    const logout = await inject({
      method: 'POST',
      url: '/api/auth/logout',
      headers: { cookie: token },
    })
    expect(String(logout.headers['set-cookie'])).toMatch(/^__Host-sid=; Max-Age=0; .*Secure$/)
    const start = await inject('/api/auth/twitch')
    expect(String(start.headers['set-cookie'])).toMatch(/^__Host-signin=.*; Secure$/)
  })

  it('builds the way back from its settings, never from the Host header', async () => {
    const { inject } = await withSettings(https)
    for (const host of ['play.example.com', 'localhost:3000', '203.0.113.9']) {
      const start = await inject({ url: '/api/auth/twitch', headers: { host } })
      const to = new URL(String(start.headers['location']))
      expect(to.origin).toBe('https://play.example.com')
      expect(to.searchParams.get('redirect_uri')).toBe(
        'https://play.example.com/api/auth/twitch/callback',
      )
    }
    const start = await inject({ url: '/api/auth/twitch', headers: { host: 'evil.example' } })
    expect([start.statusCode, start.headers['location']]).toEqual([421, undefined])
  })
})

describe('without provider settings', () => {
  it('says that signing in is not set up, at the start and at the end', async () => {
    const { inject } = await withSettings({ SANDBOX: 'off', RATE_LIMITS: 'on' })
    for (const url of ['/api/auth/twitch', '/api/auth/twitch/callback?code=a&state=b']) {
      const answer = await inject(url)
      expect(answer.statusCode).toBe(302)
      expect(answer.headers['location']).toBe('/?authError=not_configured')
    }
  })

  it('says that a Discord account cannot be linked', async () => {
    const { deps, inject } = await withSettings({ SANDBOX: 'off', RATE_LIMITS: 'on' })
    const ana = await deps.person('Ana')
    for (const url of ['/api/auth/discord', '/api/auth/discord/callback?code=a&state=b']) {
      const answer = await inject({ url, headers: { cookie: ana.cookie } })
      expect(answer.headers['location']).toBe('/profile?discord=failed')
    }
  })

  it('has no stand-ins', async () => {
    const { inject } = await withSettings({ SANDBOX: 'off', RATE_LIMITS: 'on' })
    for (const url of ['/sandbox/control/clock', '/sandbox/twitch/id/oauth2/keys']) {
      expect((await inject(url)).statusCode).toBe(404)
    }
  })
})

describe('a sign-in that the server cannot serve', () => {
  const lost = '/?authError=provider'
  const page = { accept: 'text/html,application/xhtml+xml', 'sec-fetch-dest': 'document' }

  it('leads a browser to a screen that says so, and tells a program in JSON', async () => {
    const { deps, inject } = await withSettings({})
    const { cookie } = await deps.person('Ana')
    for (const [fault, status] of [
      ['53300', 503],
      ['XX000', 500],
    ] as const) {
      for (const [url, screen] of [
        ['/api/auth/twitch', lost],
        ['/api/auth/twitch/callback?code=a&state=b', lost],
        ['/api/auth/discord', '/profile?discord=failed'],
        ['/api/auth/discord/callback?code=a&state=b', '/profile?discord=failed'],
      ] as const) {
        await inject({ url: '/api/auth/me', headers: { cookie } })
        const broken = vi
          .spyOn(t.db, 'run')
          .mockRejectedValue(Object.assign(new Error('down'), { code: fault }))
        const led = await inject({ url, headers: { cookie, ...page } })
        expect([url, led.statusCode, led.headers.location]).toEqual([url, 302, screen])
        const told = await inject({ url, headers: { cookie } })
        expect([url, told.statusCode, told.json().message]).toEqual([
          url,
          status,
          expect.any(String),
        ])
        broken.mockRestore()
      }
    }
  })

  it('leads there as well after too many', async () => {
    const { inject } = await withSettings({ RATE_LIMITS: 'on' })
    for (let done = 0; done < 20; done += 1) {
      expect((await inject('/api/auth/twitch')).statusCode).toBe(302)
    }
    expect((await inject('/api/auth/twitch')).statusCode).toBe(429)
    const led = await inject({ url: '/api/auth/twitch', headers: page })
    expect([led.statusCode, led.headers.location]).toEqual([302, lost])
    expect(Number(led.headers['retry-after'])).toBeGreaterThan(0)
    expect(await coded(inject({ url: '/api/auth/me', headers: page }))).toBe('401 unauthorized')
  })
})
