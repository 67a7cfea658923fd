// Every answer is protected, whatever its status: answers, refusals, failures and broken requests.

import { connect } from 'node:net'
import type { LightMyRequestResponse } from 'fastify'
import { describe, expect, it } from 'vitest'
import { anotherProcess, useTestDeps } from '../../../test/deps.ts'
import { pageHeaders } from './security-headers.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })
const withSettings = async (environment: Record<string, string>) =>
  (await anotherProcess(t, { SEED_DEMO: 'off', ...environment })).app

const protection = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

function expectProtected(answer: LightMyRequestResponse, status: number): void {
  expect(answer.statusCode).toBe(status)
  expect(answer.headers).toMatchObject(protection)
  expect(answer.headers['x-powered-by'] ?? answer.headers['server']).toBeUndefined()
}

describe('an answer to a call', () => {
  it('is protected with status 200, 400, 401, 403, 404 and 415', async () => {
    const ana = await t.person('ana')
    expectProtected(await ana.get('/api/auth/me'), 200)
    expectProtected(await ana.send('POST', '/api/packs/open', {}), 400)
    expectProtected(await ana.send('POST', '/api/packs/open', '{', jsonType), 400)
    expectProtected(await t.app.inject('/api/auth/me'), 401)
    expectProtected(await ana.get('/api/admin/settings/theme'), 403)
    expectProtected(await ana.get('/api/nothing'), 404)
    expectProtected(await ana.get('/api/%zz'), 404)
    expectProtected(
      await ana.send('POST', '/api/packs/open', 'x', { 'content-type': 'text/plain' }),
      415,
    )
  })

  it('is protected when it is refused before any route is looked at', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' }
    expectProtected(await t.visitor.send('POST', '/api/auth/logout', undefined, headers), 403)
    expectProtected(await t.app.inject(`/api/${'a'.repeat(9_000)}`), 400)
    expectProtected(await t.app.inject(`/api/fairness/tables/${'a'.repeat(400)}`), 400)
  })

  it('is protected with status 413', async () => {
    const ana = await t.person('ana')
    const big = JSON.stringify({ packTypeId: 1, quantity: 1, more: 'x'.repeat(11 * 1024 * 1024) })
    expectProtected(await ana.send('POST', '/api/packs/open', big, jsonType), 413)
  })

  it('is protected with status 429', async () => {
    const app = await withSettings({ RATE_LIMITS: 'on' })
    let answer = await app.inject('/api/nothing')
    for (let calls = 1; calls < 200 && answer.statusCode === 404; calls += 1) {
      answer = await app.inject('/api/nothing')
    }
    expectProtected(answer, 429)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('is protected with status 500, and says nothing from inside', async () => {
    const ana = await t.person('ana')
    await t.db.script('ALTER TABLE user_packs RENAME TO gone')
    const answer = await ana.get('/api/user/packs')
    await t.db.script('ALTER TABLE gone RENAME TO user_packs')
    expectProtected(answer, 500)
    expect(answer.json()).toEqual({
      code: 'internal',
      message: 'Internal server error',
      error: 'Internal server error',
      requestId: expect.any(String),
    })
  })

  it('asks browsers for https only where the product is reached by it', async () => {
    const https = await withSettings({ PUBLIC_URL: 'https://play.example.com' })
    const hsts = 'max-age=31536000; includeSubDomains'
    for (const path of ['/api/auth/me', '/api/%zz', '/health/live']) {
      expect((await https.inject(path)).headers['strict-transport-security']).toBe(hsts)
      expect((await t.app.inject(path)).headers['strict-transport-security']).toBeUndefined()
    }
  })
})

const jsonType = { 'content-type': 'application/json' }

describe('a page', () => {
  it('may load only what is its own', () => {
    const headers = pageHeaders('https://play.example.com')
    const policy = headers['content-security-policy']!.split('; ')
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'self'",
        "script-src 'self'",
        "connect-src 'self' wss://play.example.com",
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "form-action 'self'",
      ]),
    )
    expect(policy.join()).not.toMatch(/unsafe|\*/)
    expect(headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    const plain = pageHeaders('http://127.0.0.1:3000')
    expect(plain['content-security-policy']).toContain("connect-src 'self' ws://127.0.0.1:3000;")
  })
})

describe('a request that cannot be read', () => {
  const raw = (port: number, text: string) =>
    new Promise<string>((resolve, reject) => {
      let answer = ''
      const socket = connect(port, '127.0.0.1', () => socket.write(text))
      socket.on('data', (bytes) => {
        answer += bytes.toString()
      })
      socket.on('close', () => resolve(answer)).on('error', reject)
    })

  it.each([
    ['NONSENSE\r\n\r\n', 400, 'invalid_input', 'The request could not be read'],
    [
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`,
      431,
      'headers_too_large',
      'The request headers are too large',
    ],
  ])('is answered like any other refusal', async (text, status, code, message) => {
    const app = await withSettings({})
    await app.listen({ host: '127.0.0.1', port: 0 })
    const address = app.server.address() as { port: number }
    const answer = await raw(address.port, text)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    for (const [name, value] of Object.entries(protection)) {
      expect(answer.toLowerCase()).toContain(`${name}: ${value}`.toLowerCase())
    }
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
    expect(body).toEqual({
      code,
      message,
      error: message,
      requestId: expect.any(String),
    })
  })
})
