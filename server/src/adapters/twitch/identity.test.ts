// What the sign-in client believes of a provider that is wrong, slow, broken or dishonest.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { testNow } from '../../../../tools/test-clock.ts'
import { shortenPatience } from '../../../test/short-patience.ts'
import { Unavailable } from '../../shared/domain-error.ts'
import { movableClock } from '../clock/clock.ts'
import { jsonRoute, type Route, useStubService } from '../outbound/stub-service.fixture.ts'
import { twitchIdentity } from './identity.ts'

const keys = await generateKeyPair('RS256')
const strangers = await generateKeyPair('RS256')
const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }
const redirectUri = 'https://play.example.com/api/auth/twitch/callback'
const nonce = 'the-nonce'

const stub = useStubService()
let keyReads = 0

interface Token {
  readonly issuer?: string
  readonly audience?: string
  readonly subject?: string
  readonly ageSeconds?: number
  readonly claims?: Record<string, unknown>
  readonly alg?: string
  readonly key?: typeof keys.privateKey | Uint8Array
}

const idToken = (token: Token = {}) => {
  const issuedAt = Math.floor(testNow() / 1000) - (token.ageSeconds ?? 0)
  return new SignJWT({ nonce, preferred_username: 'Ana', ...token.claims })
    .setProtectedHeader({ alg: token.alg ?? 'RS256', kid: 'k1' })
    .setIssuer(token.issuer ?? `${stub.origin}/oauth2`)
    .setAudience(token.audience ?? 'our-client')
    .setSubject(token.subject ?? '42')
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + 900)
    .sign(token.key ?? keys.privateKey)
}

const answerTokens = async (token: Token | string = {}, more: Record<string, unknown> = {}) => {
  const id_token = typeof token === 'string' ? token : await idToken(token)
  stub.routes['/oauth2/token'] = jsonRoute(200, {
    access_token: 'at',
    token_type: 'bearer',
    id_token,
    ...more,
  })
}

beforeEach(async () => {
  keyReads = 0
  stub.routes = {
    '/oauth2/keys': (request, response) => {
      keyReads += 1
      return jsonRoute(200, { keys: [jwk] })(request, response)
    },
    '/oauth2/validate': jsonRoute(200, { client_id: 'our-client', login: 'ana', user_id: '42' }),
  }
  await answerTokens()
})

const ours = { clientId: 'our-client', clientSecret: 'our-secret', asksEmail: false }
const client = (clock = movableClock()) => twitchIdentity({ ...ours, idUrl: stub.origin }, clock)
const identify = () => client().identify('code', { redirectUri, nonce })

it.each([
  { asksEmail: false, scope: 'openid', claims: ['picture', 'preferred_username'] },
  {
    asksEmail: true,
    scope: 'openid user:read:email',
    claims: ['picture', 'preferred_username', 'email', 'email_verified'],
  },
])('asks for the email address where the setting is $asksEmail', (asked) => {
  const { asksEmail } = asked
  const request = { redirectUri, nonce, state: 's' }
  const to = twitchIdentity(
    { ...ours, asksEmail, idUrl: stub.origin },
    movableClock(),
  ).authorizeUrl(request)
  const { scope, claims } = Object.fromEntries(new URL(to).searchParams)
  expect(scope).toBe(asked.scope)
  expect(JSON.parse(claims ?? '')).toEqual({
    id_token: Object.fromEntries(asked.claims.map((name) => [name, null])),
  })
})

describe('an honest provider', () => {
  it('is believed, with what it says of the person', async () => {
    await answerTokens({
      claims: { email: 'ana@example.com', email_verified: true, picture: 'https://cdn.example/a' },
    })
    expect(await identify()).toEqual({
      id: '42',
      login: 'ana',
      displayName: 'Ana',
      email: 'ana@example.com',
      avatar: 'https://cdn.example/a',
      tokens: { accessToken: 'at', refreshToken: undefined },
    })
  })

  it('gets the code as a form, and its tokens stay out of addresses', async () => {
    let sent = ''
    let type: string | undefined
    const reply = stub.routes['/oauth2/token']
    stub.routes['/oauth2/token'] = async (request, response) => {
      type = request.headers['content-type']
      for await (const chunk of request) sent += String(chunk)
      expect(request.url).toBe('/oauth2/token')
      await reply?.(request, response)
    }
    stub.routes['/oauth2/validate'] = (request, response) => {
      expect(request.headers.authorization).toBe('OAuth at')
      return jsonRoute(200, { client_id: 'our-client', login: 'ana', user_id: '42' })(
        request,
        response,
      )
    }
    await identify()
    expect(type).toMatch(/^application\/x-www-form-urlencoded/)
    expect(Object.fromEntries(new URLSearchParams(sent))).toEqual({
      grant_type: 'authorization_code',
      client_id: 'our-client',
      client_secret: 'our-secret',
      redirect_uri: redirectUri,
      code: 'code',
    })
  })

  it.each([
    ['a list', { scope: ['openid'] }],
    ['a text', { scope: 'openid' }],
    ['nothing', {}],
    ['null', { scope: null }],
  ])('may name its scopes as %s', async (_what, more) => {
    await answerTokens({}, more)
    expect((await identify()).id).toBe('42')
  })

  it('is asked for its keys once', async () => {
    const one = client()
    for (let round = 0; round < 3; round += 1) await one.identify('code', { redirectUri, nonce })
    expect(keyReads).toBe(1)
  })

  it('is judged by the product clock', async () => {
    const clock = movableClock()
    clock.advance(3_600)
    await expect(client(clock).identify('c', { redirectUri, nonce })).rejects.toThrow(Unavailable)
  })

  it.each([
    ['an address that is not confirmed', { email: 'a@b.example', email_verified: false }, 'email'],
    ['a picture that is a script', { picture: 'javascript:alert(1)' }, 'avatar'],
    ['a picture without encryption', { picture: 'http://cdn.example/a.png' }, 'avatar'],
    ['a picture on another host by trick', { picture: '//evil.example/a.png' }, 'avatar'],
    ['claims of the wrong kind', { email: 5, picture: {} }, 'email'],
  ])('is not believed %s', async (_what, claims, field) => {
    await answerTokens({ claims })
    expect(await identify()).toMatchObject({ id: '42', [field]: undefined })
  })

  it('names people without a display name by their login', async () => {
    await answerTokens({ claims: { preferred_username: undefined } })
    expect((await identify()).displayName).toBe('ana')
  })
})

describe('a token that proves nothing', () => {
  it.each([
    ['of another issuer', { issuer: 'https://id.example/oauth2' }],
    ['for another client', { audience: 'their-client' }],
    ['of an hour ago', { ageSeconds: 3_600 }],
    ['with another nonce', { claims: { nonce: 'other' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['signed by a stranger', { key: strangers.privateKey }],
    ['signed with a shared secret', { alg: 'HS256', key: new Uint8Array(32) }],
    ['of somebody who is no number', { subject: 'local-admin' }],
  ] as [string, Token][])('is refused: %s', async (_what, token) => {
    await answerTokens(token)
    await expect(identify()).rejects.toThrow(Unavailable)
  })

  it('is refused with another algorithm, also when the key would allow it', async () => {
    const open = await generateKeyPair('PS256')
    const { kty, n, e } = await exportJWK(open.publicKey)
    stub.routes['/oauth2/keys'] = jsonRoute(200, { keys: [{ kty, n, e, kid: 'k1' }] })
    await answerTokens({ alg: 'PS256', key: open.privateKey })
    await expect(identify()).rejects.toThrow(Unavailable)
  })

  it('is refused without a signature', async () => {
    const [, payload] = (await idToken()).split('.')
    const header = Buffer.from('{"alg":"none"}').toString('base64url')
    await answerTokens(`${header}.${payload}.`)
    await expect(identify()).rejects.toThrow(Unavailable)
  })

  it('is refused when the login belongs to somebody else or the token to another client', async () => {
    for (const body of [
      { client_id: 'our-client', login: 'ben', user_id: '43' },
      { client_id: 'their-client', login: 'ana', user_id: '42' },
    ]) {
      stub.routes['/oauth2/validate'] = jsonRoute(200, body)
      await expect(identify()).rejects.toThrow(Unavailable)
    }
  })
})

describe('a provider in trouble', () => {
  it.each([
    ['refuses the code', '/oauth2/token', jsonRoute(400, { status: 400, message: 'Invalid code' })],
    ['fails', '/oauth2/token', jsonRoute(503, {})],
    ['sends no id_token', '/oauth2/token', jsonRoute(200, { access_token: 'at' })],
    ['sends no JSON', '/oauth2/token', (_: unknown, to: ServerResponse) => to.end('<html>')],
    ['hangs up', '/oauth2/token', (request: IncomingMessage) => request.destroy()],
    [
      'redirects',
      '/oauth2/token',
      (_: unknown, to: ServerResponse) => to.writeHead(307, { location: '/elsewhere' }).end(),
    ],
    ['has no keys', '/oauth2/keys', jsonRoute(500, {})],
    ['has forgotten the token', '/oauth2/validate', jsonRoute(401, { status: 401 })],
  ] as [string, string, Route][])('%s: unavailable', async (_what, path, route) => {
    stub.routes[path] = route
    await expect(identify()).rejects.toThrow(Unavailable)
  })

  it('is given up on after five seconds', async () => {
    const patience = shortenPatience()
    stub.routes['/oauth2/token'] = () => undefined
    await expect(identify()).rejects.toThrow('Twitch cannot be reached right now')
    expect(patience).toHaveBeenLastCalledWith(5_000)
  })

  it('is unavailable when nobody listens, and no secret is in what is logged', async () => {
    const gone = twitchIdentity(
      { ...ours, clientSecret: 'secret-canary', idUrl: 'http://127.0.0.1:9' },
      movableClock(),
    )
    const failure: Unavailable = await gone.identify('code-canary', { redirectUri, nonce }).then(
      () => expect.unreachable(),
      (error) => error,
    )
    expect(failure).toBeInstanceOf(Unavailable)
    expect(JSON.stringify([failure.message, String(failure.cause), failure.stack])).not.toContain(
      'canary',
    )
  })
})
