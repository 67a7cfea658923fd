// The Twitch identity stand-in, judged by an independent OpenID Connect client and by plain
// requests.

import * as oidc from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SandboxHost, sandboxHost } from './sandbox-host.fixture.ts'

let host: SandboxHost
beforeAll(async () => {
  host = await sandboxHost()
})
afterAll(() => host.app.close())

const client = { client_id: 'sandbox-twitch', client_secret: 'twitch-secret' }
const redirectUri = () => `${host.origin}/api/auth/twitch/callback`
const at = (path: string) => `${host.origin}/sandbox/twitch/id/oauth2/${path}`
const form = (fields: Record<string, string>) => ({
  method: 'POST',
  body: new URLSearchParams(fields),
})
const authorizeUrl = (changes: Record<string, string | undefined> = {}) => {
  const all = {
    response_type: 'code',
    client_id: 'sandbox-twitch',
    redirect_uri: redirectUri(),
    scope: 'openid user:read:email',
    state: 'the-state',
    nonce: 'the-nonce',
    ...changes,
  }
  const given = Object.entries(all).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  )
  return `${at('authorize')}?${new URLSearchParams(given)}`
}
/** Sends the consent form; answers where the browser is sent. */
const consent = async (url: string, fields: Record<string, string>) => {
  const answer = await fetch(url, { ...form(fields), redirect: 'manual' })
  expect(answer.status).toBe(302)
  return new URL(answer.headers.get('location') ?? '')
}
const codeFor = async (login: string, changes: Record<string, string | undefined> = {}) =>
  (await consent(authorizeUrl(changes), { login, action: 'allow' })).searchParams.get('code') ?? ''
const exchange = (code: string, changes: Record<string, string> = {}) =>
  fetch(
    at('token'),
    form({
      grant_type: 'authorization_code',
      ...client,
      redirect_uri: redirectUri(),
      code,
      ...changes,
    }),
  )
interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly id_token?: string
  readonly scope: string[]
}
const tokensFor = async (login: string, changes: Record<string, string | undefined> = {}) =>
  (await (await exchange(await codeFor(login, changes))).json()) as Tokens
const bodyOf = async (answer: Response | Promise<Response>) => {
  const { status } = await answer
  return { status, body: await (await answer).json() }
}

describe('judged by openid-client', () => {
  /** The one thing in which Twitch itself leaves the standard: `scope` is an array. */
  const joinedScope: oidc.CustomFetch = async (url, options) => {
    const answer = await fetch(url, options as RequestInit)
    if (!url.endsWith('/token') || !answer.ok) return answer
    const body = (await answer.json()) as { scope?: string[] }
    return Response.json({ ...body, scope: body.scope?.join(' ') })
  }

  const configured = () => {
    const issuer = `${host.origin}/sandbox/twitch/id/oauth2`
    const config = new oidc.Configuration(
      {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
      },
      client.client_id,
      client.client_secret,
      oidc.ClientSecretPost(client.client_secret),
    )
    oidc.allowInsecureRequests(config)
    config[oidc.customFetch] = joinedScope
    return config
  }

  it('passes code flow, id_token and refresh', async () => {
    const config = configured()
    const [state, nonce] = [oidc.randomState(), oidc.randomNonce()]
    const claims = JSON.stringify({
      id_token: { email: null, email_verified: null, picture: null, preferred_username: null },
    })
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri(),
      scope: 'openid user:read:email',
      state,
      nonce,
      claims,
    })
    const callback = await consent(url.href, { login: 'PixelOtter', action: 'allow' })
    const tokens = await oidc.authorizationCodeGrant(config, callback, {
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    })
    expect(tokens.claims()).toMatchObject({
      iss: `${host.origin}/sandbox/twitch/id/oauth2`,
      sub: '990000001',
      aud: 'sandbox-twitch',
      azp: 'sandbox-twitch',
      nonce,
      email: 'pixelotter@example.com',
      email_verified: true,
      picture: '/art/a.svg',
      preferred_username: 'PixelOtter',
    })
    const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '')
    expect(refreshed.access_token).not.toBe(tokens.access_token)
  })

  it('fails for another nonce and a code used twice, as it should', async () => {
    const config = configured()
    const state = oidc.randomState()
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri(),
      scope: 'openid',
      state,
      nonce: 'one',
    })
    const callback = await consent(url.href, { login: 'Ana', action: 'allow' })
    const checks = { expectedState: state, expectedNonce: 'two' }
    await expect(oidc.authorizationCodeGrant(config, callback, checks)).rejects.toThrow()
    await expect(
      oidc.authorizationCodeGrant(config, callback, { ...checks, expectedNonce: 'one' }),
    ).rejects.toThrow()
  })
})

describe('the authorize page', () => {
  it('offers known viewers and any name, without scripts or inline styles', async () => {
    const answer = await fetch(authorizeUrl())
    const page = await answer.text()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page).toContain('PixelOtter')
    expect(page).toContain('<label for="login">')
    expect(page).toContain('Your email address')
    expect(page).not.toMatch(/<script|<style|style=|javascript:| on\w+=/)
    const style = await fetch(`${host.origin}/sandbox/consent.css`)
    expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect(await style.text()).toContain('.viewers')
  })

  it('shows what it was opened with only as text', async () => {
    const canary = '"><img src=x onerror=alert(1)>'
    const page = await (await fetch(authorizeUrl({ state: canary }))).text()
    expect(page).toContain('<a href="/sandbox/mail">')
    expect(page).not.toContain('<img src=x')
  })

  it('brings code, scope and state back to the application', async () => {
    const to = await consent(authorizeUrl(), { login: 'Ana', action: 'allow' })
    expect(to.origin + to.pathname).toBe(redirectUri())
    expect(Object.fromEntries(to.searchParams)).toEqual({
      code: expect.stringMatching(/^\w{30,}$/),
      scope: 'openid user:read:email',
      state: 'the-state',
    })
  })

  it('brings a refusal back with the error of the standard', async () => {
    const to = await consent(authorizeUrl(), { action: 'deny' })
    expect(Object.fromEntries(to.searchParams)).toEqual({
      error: 'access_denied',
      error_description: 'The user denied you access',
      state: 'the-state',
    })
  })

  it.each(['', '   ', 'two words', 'x'.repeat(51)])(
    'asks again for the login name %j',
    async (login) => {
      const answer = await fetch(authorizeUrl(), form({ login, action: 'allow' }))
      expect(answer.status).toBe(400)
      expect(await answer.text()).toContain('role="alert"')
    },
  )

  it('asks again when neither button was pressed', async () => {
    const answer = await fetch(authorizeUrl(), form({ login: 'Ana' }))
    expect(answer.status).toBe(400)
  })

  it.each([
    [{ client_id: undefined }, 'missing client id'],
    [{ client_id: 'other' }, 'invalid client'],
    [
      { redirect_uri: 'https://evil.example' },
      'Parameter redirect_uri does not match registered URI',
    ],
    [{ redirect_uri: undefined }, 'Parameter redirect_uri does not match registered URI'],
    [{ response_type: 'id_token' }, 'invalid response type'],
    [{ scope: 'openid all of it!' }, "invalid scope requested: 'all'"],
  ])('refuses %j by page and by form, redirecting nowhere', async (changes, message) => {
    for (const init of [{}, form({ login: 'Ana', action: 'allow' })]) {
      const answer = await fetch(authorizeUrl(changes), { ...init, redirect: 'manual' })
      expect(await bodyOf(answer)).toMatchObject({ status: 400, body: { status: 400, message } })
    }
  })
})

describe('viewers', () => {
  const subject = async (login: string) => {
    const { id_token = '' } = await tokensFor(login)
    return JSON.parse(Buffer.from(id_token.split('.')[1] ?? '', 'base64url').toString()).sub
  }

  it('keep their number whatever the case, and share it with nobody', async () => {
    expect(await subject('Newcomer')).toMatch(/^9\d{18}$/)
    expect(await subject('newCOMER')).toBe(await subject('Newcomer'))
    expect(await subject('Newcomer2')).not.toBe(await subject('Newcomer'))
    expect(await subject('PIXELOTTER')).toBe('990000001')
  })

  it('keep it over a restart', async () => {
    const before = await subject('Newcomer')
    await host.app.close()
    host = await sandboxHost()
    expect(await subject('Newcomer')).toBe(before)
  })
})

describe('the token service', () => {
  it('answers as Twitch does, with the scopes as a list', async () => {
    expect(await tokensFor('Ana')).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      id_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      expires_in: 14_124,
      scope: ['openid', 'user:read:email'],
      token_type: 'bearer',
    })
    expect(await tokensFor('Ana', { scope: 'user:read:email' })).not.toHaveProperty('id_token')
  })

  it('takes a code once and for ten minutes', async () => {
    const code = await codeFor('Ana')
    expect((await exchange(code)).status).toBe(200)
    expect(await bodyOf(exchange(code))).toEqual({
      status: 400,
      body: { status: 400, message: 'Invalid authorization code' },
    })
    const late = await codeFor('Ana')
    host.advance(601)
    expect((await exchange(late)).status).toBe(400)
  })

  it.each([
    [{ client_secret: 'wrong' }, 403, 'invalid client secret'],
    [{ client_id: 'other' }, 400, 'invalid client'],
    [{ grant_type: 'password' }, 400, 'invalid grant type'],
    [
      { redirect_uri: 'https://x.example' },
      400,
      'Parameter redirect_uri does not match registered URI',
    ],
  ])('refuses %j with %i', async (changes, status, message) => {
    const answer = await bodyOf(exchange(await codeFor('Ana'), changes))
    expect(answer).toEqual({ status, body: { status, message } })
  })

  it('takes parameters from the address too, and app tokens carry no viewer', async () => {
    const query = new URLSearchParams({ ...client, grant_type: 'client_credentials' })
    const { body } = await bodyOf(fetch(`${at('token')}?${query}`, { method: 'POST' }))
    const headers = { authorization: `Bearer ${(body as Tokens).access_token}` }
    expect(await bodyOf(fetch(at('validate'), { headers }))).toMatchObject({
      status: 200,
      body: { client_id: 'sandbox-twitch', scopes: null },
    })
  })

  it('validates a token until it expires, with both words in the header', async () => {
    const { access_token } = await tokensFor('Ana')
    for (const scheme of ['OAuth', 'Bearer']) {
      const headers = { authorization: `${scheme} ${access_token}` }
      expect(await bodyOf(fetch(at('validate'), { headers }))).toEqual({
        status: 200,
        body: {
          client_id: 'sandbox-twitch',
          login: 'ana',
          scopes: ['openid', 'user:read:email'],
          user_id: expect.stringMatching(/^9\d{18}$/),
          expires_in: expect.any(Number),
        },
      })
    }
    host.advance(14_125)
    const headers = { authorization: `OAuth ${access_token}` }
    expect(await bodyOf(fetch(at('validate'), { headers }))).toEqual({
      status: 401,
      body: { status: 401, message: 'invalid access token' },
    })
    expect(await bodyOf(fetch(at('validate')))).toEqual({
      status: 401,
      body: { status: 401, message: 'missing authorization token' },
    })
  })

  it('refreshes, and revokes once', async () => {
    const { refresh_token, access_token } = await tokensFor('Ana')
    const refresh = (token: string) =>
      fetch(at('token'), form({ ...client, grant_type: 'refresh_token', refresh_token: token }))
    expect((await refresh(refresh_token)).status).toBe(200)
    expect(await bodyOf(refresh('forged'))).toEqual({
      status: 400,
      body: { status: 400, message: 'Invalid refresh token' },
    })
    const revoke = (fields: Record<string, string>) => fetch(at('revoke'), form(fields))
    const known = { client_id: client.client_id, token: access_token }
    expect((await revoke({ ...known, client_id: 'other' })).status).toBe(404)
    expect((await revoke(known)).status).toBe(200)
    expect(await bodyOf(revoke(known))).toEqual({
      status: 400,
      body: { status: 400, message: 'Invalid token' },
    })
    const headers = { authorization: `OAuth ${access_token}` }
    expect((await fetch(at('validate'), { headers })).status).toBe(401)
  })
})
