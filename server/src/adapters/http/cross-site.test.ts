// What another site makes a browser send is refused on every unsafe call, with and without a body.

import { describe, expect, it } from 'vitest'
import { anotherProcess, useTestDeps } from '../../../test/deps.ts'
import { addressOf, type Place, placesOf } from '../../../test/registered-endpoints.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })
const own = 'http://127.0.0.1:3000'

const unsafePlaces = () =>
  placesOf(t.app).served.filter(
    ({ method, endpoint }) =>
      method !== 'GET' &&
      // Whoever signs every byte needs no cookie, so no site can lend one.
      endpoint.access !== 'signature' &&
      endpoint.fromAnySite !== true,
  )

async function codeOf(place: Place, headers: Record<string, string>, payload?: string) {
  const answer = await t.app.inject({
    method: place.method as 'POST',
    url: addressOf(place),
    headers: {
      ...headers,
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(payload === undefined ? {} : { payload }),
  })
  const allowed = Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))
  expect(allowed).toEqual([])
  return [answer.statusCode, answer.json().code].join(' ')
}

const foreign: Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site', origin: own },
  { 'sec-fetch-site': 'same-site' },
  { origin: 'https://evil.example' },
]
describe('every unsafe call', () => {
  it('is refused when another site caused it, also without a body', async () => {
    const boss = await t.person('boss', { role: 'super_user', coins: 100 })
    const places = unsafePlaces()
    expect(places.length).toBeGreaterThan(15)
    for (const place of places) {
      for (const headers of foreign) {
        const who = { ...headers, cookie: boss.cookie }
        const codes = [await codeOf(place, who), await codeOf(place, who, '{}')]
        expect([place.path, headers, codes]).toEqual([
          place.path,
          headers,
          ['403 cross_site', '403 cross_site'],
        ])
      }
    }
    expect((await boss.read('/api/auth/me')).redCoinBalance).toBe(100)
  })

  it('is refused without its signature where one is asked for, whatever the site', async () => {
    const signed = placesOf(t.app).served.filter(({ endpoint }) => endpoint.access === 'signature')
    expect(signed.map(({ path }) => path).sort()).toEqual([
      '/api/discord/events',
      '/api/discord/interactions',
      '/api/twitch/eventsub',
    ])
    for (const place of signed) {
      for (const headers of [{}, ...foreign]) {
        expect(await codeOf(place, headers, '{}')).toMatch(/^40[13] /)
      }
    }
  })
})

describe('a call that a page loads as a part of itself', () => {
  // Such as the picture of a prize: browsers fetch it for whoever looks, with their cookies.
  it.each(['image', 'video', 'style', 'script', 'iframe', 'anything'])(
    'is refused as %s, wherever it leads',
    async (kind) => {
      const boss = await t.person('boss', { role: 'super_user' })
      const who = { cookie: boss.cookie, 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': kind }
      const calls = placesOf(t.app).served.filter(
        ({ path, endpoint }) =>
          path.startsWith('/api/') &&
          endpoint.access !== 'signature' &&
          endpoint.fromAnySite !== true,
      )
      expect(calls.length).toBeGreaterThan(100)
      for (const place of calls) {
        expect([place.path, await codeOf(place, who)]).toEqual([place.path, '403 cross_site'])
      }
    },
  )

  it('starts no sign-in and no export; one that is gone to or fetched by code does', async () => {
    const boss = await t.person('boss', { role: 'super_user' })
    const exported = async (kind: string) => {
      const headers = { cookie: boss.cookie, 'sec-fetch-dest': kind }
      const url = '/api/admin/prize-claims.csv?contact=with'
      const signIn = await t.app.inject({ url: '/api/auth/twitch', headers })
      const { statusCode } = await t.app.inject({ url, headers })
      return [statusCode, signIn.headers['set-cookie'] !== undefined]
    }
    expect(await exported('image')).toEqual([403, false])
    for (const kind of ['document', 'empty']) expect(await exported(kind)).toEqual([200, true])
    const noted = await t.rows("SELECT 1 FROM audit_log WHERE action = 'claim.read_file'")
    expect(noted).toHaveLength(2)
  })
})

describe('a name that was pointed at this server', () => {
  it('is refused before anything else, on every call', async () => {
    const boss = await t.person('boss', { role: 'super_user' })
    const headers = { origin: 'http://evil.example', host: 'evil.example', cookie: boss.cookie }
    for (const place of placesOf(t.app).served) {
      const answer = await t.app.inject({
        method: place.method as 'POST',
        url: addressOf(place),
        headers,
      })
      const status = place.path.startsWith('/health/') ? 200 : 421
      expect([place.path, answer.statusCode]).toEqual([place.path, status])
    }
  })
})

describe('what anybody can send without an end', () => {
  it('does not fill the log: each kind of refusal is a line, and then a count', async () => {
    const lines: string[] = []
    const stream = { write: (line: string) => void lines.push(line) }
    const logged = await anotherProcess(t, { LOG_LEVEL: 'info' }, stream)
    lines.length = 0
    const refused = async (path: string, headers: Record<string, string>) => {
      const answer = await logged.visitor.send('POST', path, {}, headers)
      return answer.statusCode
    }
    for (let count = 0; count < 100; count += 1) {
      expect(await refused('/api/auth/logout', { 'sec-fetch-site': 'cross-site' })).toBe(403)
      expect(await refused('/api/auth/logout', { host: 'evil.example' })).toBe(421)
      expect(await refused('/api/twitch/eventsub', {})).toBe(403)
      expect(await refused('/api/discord/events', {})).toBe(401)
    }
    const codes = lines.map((line) => JSON.parse(line)).map(({ code, route }) => [code, route])
    expect(codes).toEqual([
      ['cross_site', 'POST /api/auth/logout'],
      ['wrong_host', 'POST /api/auth/logout'],
      ['forbidden', 'POST /api/twitch/eventsub'],
      ['unauthorized', 'POST /api/discord/events'],
    ])
  })
})

describe('reading', () => {
  it('needs no origin, and gives none away to other sites', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    for (const method of ['GET', 'OPTIONS', 'HEAD'] as const) {
      const answer = await t.app.inject({ method, url: '/api/redcoin/leaderboard', headers })
      expect(answer.statusCode).toBe(method === 'GET' ? 200 : 404)
      expect(Object.keys(answer.headers).join()).not.toContain('access-control')
      expect(answer.headers['cross-origin-resource-policy']).toBe('same-origin')
    }
  })
})
