// Who may call what: every served endpoint against every role and every state of a session.

import type { Method } from '@redpack/contract'
import type { LightMyRequestResponse } from 'fastify'
import { describe, expect, it } from 'vitest'
import type { Role } from '../src/rules/roles.ts'
import { useTestDeps } from './deps.ts'
import { addressOf, type Place, placesOf } from './registered-endpoints.ts'
import { type SessionState, sessionCookie } from './sessions.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })
const allRoles: readonly Role[] = ['user', 'admin', 'super_user']
/** A caller who is not on this machine, where operators are known by their address. */
const remoteAddress = '203.0.113.9'

async function call(place: Place, cookie?: string): Promise<LightMyRequestResponse> {
  return t.app.inject({
    method: place.method as 'GET',
    url: addressOf(place),
    remoteAddress,
    headers: cookie === undefined ? {} : { cookie },
  })
}

type Verdict = 401 | 403 | 'admitted' | 'failed'

function verdictOf(answer: LightMyRequestResponse): Verdict {
  if (answer.statusCode >= 500) return 'failed'
  if (answer.statusCode !== 401 && answer.statusCode !== 403) return 'admitted'
  const { code, message, error } = answer.json()
  const isOfAccess = ['unauthorized', 'forbidden'].includes(code) && message === error
  return isOfAccess ? answer.statusCode : 'admitted'
}

/** What the contract's access means for somebody of the role; undefined is a visitor. */
function expected({ endpoint }: Place, role: Role | undefined): Verdict {
  if (endpoint.access === 'public') return 'admitted'
  if (role === undefined) return 401
  if (endpoint.access === 'viewer') return 'admitted'
  return role === 'user' ? 403 : 'admitted'
}

const named = ({ method, path }: Place, who: string, verdict: Verdict) =>
  `${method} ${path} as ${who}: ${verdict}`

/** Calls every served place and answers what was expected and what came, as readable lines. */
async function compare(
  who: string,
  role: Role | undefined,
  cookieOf: () => Promise<string | undefined>,
): Promise<{ got: string[]; wanted: string[] }> {
  const got: string[] = []
  const wanted: string[] = []
  // Webhooks know no sessions; what they ask for instead is tested where they are.
  const places = placesOf(t.app).served.filter(({ endpoint }) => endpoint.access !== 'signature')
  for (const place of places) {
    got.push(named(place, who, verdictOf(await call(place, await cookieOf()))))
    wanted.push(named(place, who, expected(place, role)))
  }
  return { got, wanted }
}

describe('every endpoint that is served', { timeout: 90_000 }, () => {
  it('is open to a visitor only where it is public', async () => {
    const { got, wanted } = await compare('visitor', undefined, async () => undefined)
    expect(got).toEqual(wanted)
    expect(got.length).toBeGreaterThan(45)
  })

  it.each(allRoles)('admits %s where the contract says so', async (role) => {
    const person = await t.person(`matrix-${role}`, { role })
    // A session for each call, since some calls end it.
    const { got, wanted } = await compare(role, role, () => sessionCookie(t, person.id))
    expect(got).toEqual(wanted)
  })

  it.each<[SessionState, Role]>(
    (['expired', 'revoked'] as const).flatMap((state) =>
      allRoles.map((role): [SessionState, Role] => [state, role]),
    ),
  )('takes an %s session of %s for none', async (state, role) => {
    const person = await t.person(`${state}-${role}`, { role })
    const cookieOf = () => sessionCookie(t, person.id, state)
    const { got, wanted } = await compare(`${state} ${role}`, undefined, cookieOf)
    expect(got).toEqual(wanted)
  })

  it.each(['admin', 'super_user'] as const)(
    'takes every power from a demoted %s with the next request',
    async (role) => {
      const person = await t.person(`demoted-${role}`, { role })
      const staffPlace = placesOf(t.app).served.find(({ endpoint }) => endpoint.access === 'staff')
      const { got, wanted } = await compare(`demoted ${role}`, 'user', async () => {
        await t.rows('UPDATE users SET role = $2 WHERE id = $1', [person.id, role])
        const cookie = await sessionCookie(t, person.id)
        // Known as staff, so that whatever is kept of the session says so.
        expect(verdictOf(await call(staffPlace!, cookie))).toBe('admitted')
        await t.rows("UPDATE users SET role = 'user' WHERE id = $1", [person.id])
        return cookie
      })
      expect(got).toEqual(wanted)
    },
  )

  it('admits nobody with the session of a deleted user', async () => {
    const person = await t.person('gone', { role: 'admin' })
    await t.rows('UPDATE users SET deleted_at = now() WHERE id = $1', [person.id])
    const { got, wanted } = await compare('deleted', undefined, () => sessionCookie(t, person.id))
    expect(got).toEqual(wanted)
  })
})

describe('a path that does not exist', { timeout: 90_000 }, () => {
  const paths = [
    '/api',
    '/api/',
    '/api/nothing',
    '/api/admin/nothing',
    '/api/user/stats/',
    '/api/%zz',
  ]
  const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

  it('is 404 as JSON for everyone, with every method', async () => {
    const cookies: (string | undefined)[] = [undefined]
    for (const role of allRoles) {
      const person = await t.person(`lost-${role}`, { role })
      cookies.push(person.cookie)
    }
    const others: string[] = []
    for (const cookie of cookies) {
      for (const url of paths) {
        for (const method of methods) {
          const answer = await t.app.inject({
            method,
            url,
            headers: cookie === undefined ? {} : { cookie },
          })
          const { code, message, error } = answer.json()
          const line = [answer.statusCode, code, message, error].join(' ')
          if (line !== '404 not_found Not found Not found') others.push(`${method} ${url} ${line}`)
        }
      }
    }
    expect(others).toEqual([])
  })

  it('includes known paths with a method they do not have', async () => {
    const { served } = placesOf(t.app)
    // A fixed path may look like the parameter of another one.
    const patterns = served.map(({ method, path }) => ({
      method: method as string,
      pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    }))
    const isKnown = (wanted: string, path: string) =>
      patterns.some(({ method, pattern }) => method === wanted && pattern.test(path))
    const admitted: string[] = []
    for (const place of served) {
      for (const method of [...methods, 'HEAD', 'OPTIONS'] as const) {
        if (isKnown(method, place.path)) continue
        const answer = await t.app.inject({ method, url: addressOf(place) })
        if (answer.statusCode !== 404) admitted.push(`${method} ${place.path} ${answer.statusCode}`)
      }
    }
    expect(admitted).toEqual([])
  })
})
