// The Discord stand-in of the account link.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SandboxHost, sandboxHost } from './sandbox-host.fixture.ts'

let host: SandboxHost
beforeAll(async () => {
  host = await sandboxHost()
})
afterAll(() => host.app.close())

const client = { client_id: 'sandbox-discord', client_secret: 'discord-secret' }
const redirectUri = () => `${host.origin}/api/auth/discord/callback`
const api = (path: string) => `${host.origin}/sandbox/discord/api/v10${path}`
const authorizeUrl = (changes: Record<string, string> = {}) =>
  `${host.origin}/sandbox/discord/oauth2/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: 'sandbox-discord',
    scope: 'identify',
    redirect_uri: redirectUri(),
    prompt: 'consent',
    state: 'the-state',
    ...changes,
  })}`
const send = (url: string, fields: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
const consent = async (login: string, action = 'allow') => {
  const answer = await send(authorizeUrl(), { login, action })
  return new URL(answer.headers.get('location') ?? '').searchParams
}
const exchange = async (code: string, changes: Record<string, string> = {}) =>
  send(api('/oauth2/token'), {
    grant_type: 'authorization_code',
    ...client,
    redirect_uri: redirectUri(),
    code,
    ...changes,
  })
const accountOf = async (login: string) => {
  const answer = await exchange((await consent(login)).get('code') ?? '')
  const { access_token } = (await answer.json()) as { access_token: string }
  const headers = { authorization: `Bearer ${access_token}` }
  return (await (await fetch(api('/users/@me'), { headers })).json()) as Record<string, unknown>
}

describe('the Discord stand-in', () => {
  it('names the account that gave its consent, always the same one', async () => {
    const account = await accountOf('Ana')
    expect(account).toMatchObject({
      id: expect.stringMatching(/^9\d{18}$/),
      username: 'ana',
      global_name: 'Ana',
      avatar: null,
      discriminator: '0',
    })
    expect((await accountOf('ana'))['id']).toBe(account['id'])
    expect((await accountOf('Ben'))['id']).not.toBe(account['id'])
  })

  it('shows a page, and brings consent and refusal back with the state', async () => {
    const page = await (await fetch(authorizeUrl())).text()
    expect(page).toContain('Link your Discord account')
    expect(page).not.toMatch(/<script|<style|style=/)
    expect((await consent('Ana')).get('state')).toBe('the-state')
    const denied = await consent('', 'deny')
    expect(denied.get('error')).toBe('access_denied')
    expect(denied.get('state')).toBe('the-state')
    expect((await send(authorizeUrl(), { login: '', action: 'allow' })).status).toBe(400)
  })

  it.each([
    { client_id: 'other' },
    { redirect_uri: 'https://evil.example' },
    { response_type: 'token' },
    { scope: 'identify email' },
  ] as Record<string, string>[])('refuses to ask for %j', async (changes) => {
    expect((await fetch(authorizeUrl(changes))).status).toBe(400)
    const answer = await send(authorizeUrl(changes), { login: 'Ana', action: 'allow' })
    expect(answer.status).toBe(400)
  })

  it('takes a code once, as a form only', async () => {
    const code = (await consent('Ana')).get('code') ?? ''
    const asJson = await fetch(api('/oauth2/token'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ grant_type: 'authorization_code', ...client, code }),
    })
    expect(asJson.status).toBe(401)
    expect(await (await exchange(code)).json()).toEqual({
      token_type: 'Bearer',
      access_token: expect.any(String),
      expires_in: 604_800,
      scope: 'identify',
    })
    const again = await exchange(code)
    expect(again.status).toBe(400)
    expect(await again.json()).toEqual({
      error: 'invalid_grant',
      error_description: 'Invalid "code" in request.',
    })
  })

  it('refuses wrong pairs, ways back and grants', async () => {
    const code = async () => (await consent('Ana')).get('code') ?? ''
    expect((await exchange(await code(), { client_secret: 'x' })).status).toBe(401)
    expect((await exchange(await code(), { redirect_uri: 'https://x.example' })).status).toBe(400)
    expect((await exchange(await code(), { grant_type: 'password' })).status).toBe(400)
    const nobody = await fetch(api('/users/@me'), { headers: { authorization: 'Bearer x' } })
    expect(nobody.status).toBe(401)
    expect(await nobody.json()).toEqual({ message: '401: Unauthorized', code: 0 })
  })
})
