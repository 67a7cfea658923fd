// The bare server: default deny, how bodies are read, and what every request can rely on.

import { bodyBytesMax } from '@redpack/contract/limits'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { coded, told, useTestDeps } from '../../../test/deps.ts'
import { createHttpServer } from './server.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })
let app: Awaited<ReturnType<typeof createHttpServer>>
const open = { config: { access: 'public' as const } }

beforeEach(async () => {
  app = await createHttpServer(t.deps)
  app.post('/echo', open, async (request) => ({ body: request.body ?? null }))
})
afterEach(() => app.close())

const echo = (payload: string | undefined, type?: string) =>
  app.inject({
    method: 'POST',
    url: '/echo',
    headers: type === undefined ? {} : { 'content-type': type },
    ...(payload === undefined ? {} : { payload }),
  })

describe('an address that cannot be decoded', () => {
  it.each([
    ['/%', 400, 'invalid_input'],
    ['/%zz', 400, 'invalid_input'],
    ['/a%c0%af', 400, 'invalid_input'],
    ['/api/%', 404, 'not_found'],
  ])('as %s is answered %i', async (url, status, code) => {
    const answer = await app.inject({ method: 'GET', url })
    expect([answer.statusCode, answer.json().code]).toEqual([status, code])
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
  })
})

describe('default deny', () => {
  it('refuses to start with a route that does not state its access', () => {
    expect(() => app.get('/open', async () => 'x')).toThrow(/GET.*\/open does not state its access/)
    expect(() =>
      app.route({ method: 'POST', url: '/y', config: {}, handler: async () => 'x' }),
    ).toThrow('does not state its access')
  })

  it('holds inside plugins as well', async () => {
    const other = await createHttpServer(t.deps)
    other.register(async (plugin) => {
      plugin.delete('/hidden', async () => 'x')
    })
    await expect(other.ready()).rejects.toThrow('/hidden does not state its access')
  })
})

describe('a body', () => {
  it('is JSON, and none at all reads as an empty object', async () => {
    expect((await echo('{"a":[1,{"b":null}]}', 'application/json')).json().body).toEqual({
      a: [1, { b: null }],
    })
    for (const empty of ['', ' \n', undefined]) {
      expect((await echo(empty, 'application/json; charset=utf-8')).statusCode).toBe(200)
    }
    expect((await echo(undefined)).json()).toEqual({ body: null })
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/xml',
  ])('of type %s is refused with 415', async (type) => {
    expect(await coded(echo('a=1', type))).toBe('415 unsupported_media_type')
  })

  it.each(['{', '{"a":}', 'undefined', '{"a":1}}', '\u0000', '{"a', '{"a\\"', '{"a":[[['])(
    'that is not JSON is refused with 400',
    async (text) => {
      expect(await told(echo(text, 'application/json'))).toBe(
        '400 The request body is not valid JSON',
      )
    },
  )

  it.each(['__proto__', 'constructor', 'prototype'])('with a field %s is refused', async (name) => {
    for (const text of [`{"${name}":{"x":1}}`, `{"a":[{"b":{"${name}":1}}]}`]) {
      expect(await told(echo(text, 'application/json'))).toBe(
        `400 The field name ${name} is not allowed`,
      )
    }
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })

  it('with such a field is refused however it is written, and a value may say it', async () => {
    const written = ['"__pro\\u0074o__"', '"\\u005f_proto__" \n', '"constructor"\t']
    for (const key of written) {
      const answer = await echo(`{"a":[{${key}:1}]}`, 'application/json')
      expect([key, answer.statusCode]).toEqual([key, 400])
      expect(answer.json().message).toMatch(/^The field name \w+ is not allowed$/)
    }
    const harmless = { a: '__proto__', b: ['constructor'], c: '"prototype":1', '\\"__proto__': 2 }
    const answer = await echo(JSON.stringify(harmless), 'application/json')
    expect(answer.json().body).toEqual(harmless)
  })

  it('may be nested 20 deep and not deeper', async () => {
    const nested = (depth: number, open: string, close: string) =>
      echo(`${open.repeat(depth)}1${close.repeat(depth)}`, 'application/json')
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      expect((await nested(20, open, close)).statusCode).toBe(200)
      expect((await nested(21, open, close)).json().message).toBe(
        'The request body is nested too deeply',
      )
    }
    // Beside each other is not in each other, and brackets in a text are letters.
    expect((await echo(`[${'[],'.repeat(100)}[]]`, 'application/json')).statusCode).toBe(200)
    expect((await echo(`"${'['.repeat(100)}"`, 'application/json')).statusCode).toBe(200)
  })

  it('may have 16 KiB and not a byte more where nothing else is said', async () => {
    const ofLength = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`
    const limit = 16 * 1024
    expect((await echo(ofLength(limit), 'application/json')).statusCode).toBe(200)
    expect(await coded(echo(ofLength(limit + 1), 'application/json'))).toBe('413 payload_too_large')
  })

  it('may have 10 MiB where it carries a picture', async () => {
    const config = { access: 'public' as const, bodyLimit: 'picture' as const }
    app.post('/picture', { config, bodyLimit: bodyBytesMax.picture }, async () => 'read')
    const send = (payload: string) => {
      const headers = { 'content-type': 'application/json' }
      return app.inject({ method: 'POST', url: '/picture', headers, payload })
    }
    const limit = 10 * 1024 * 1024
    expect((await send(`"${'x'.repeat(limit - 2)}"`)).statusCode).toBe(200)
    expect((await send(`"${'x'.repeat(limit - 1)}"`)).statusCode).toBe(413)
    // A picture is one long text. Many small values of the same size are none.
    expect((await send(`[${'1,'.repeat(20_000)}1]`)).json().message).toBe(
      'The request body holds too many values',
    )
    expect((await send(`"${'\\"'.repeat(20_000)}"`)).statusCode).toBe(413)
    expect((await send(`[${' '.repeat(600_000)}]`)).statusCode).toBe(413)
    expect((await send('9'.repeat(600_000))).statusCode).toBe(413)
  })
})

describe('a request', () => {
  it('has an id of its own that its refusals carry', async () => {
    const ids = new Set<string>()
    for (let requests = 0; requests < 3; requests += 1) {
      ids.add((await echo('{', 'application/json')).json().requestId)
    }
    expect(ids.size).toBe(3)
    const sent = await app.inject({
      method: 'POST',
      url: '/echo',
      headers: { 'request-id': 'mine', 'content-type': 'text/plain' },
      payload: 'x',
    })
    expect(sent.json().requestId).not.toBe('mine')
  })

  it('is believed about its address only by a proxy on this machine', async () => {
    app.get('/ip', open, async ({ ip }) => ({ ip }))
    const ask = (remoteAddress: string) =>
      app.inject({ url: '/ip', remoteAddress, headers: { 'x-forwarded-for': '198.51.100.7' } })
    expect((await ask('127.0.0.1')).json().ip).toBe('198.51.100.7')
    expect((await ask('203.0.113.9')).json().ip).toBe('203.0.113.9')
  })
})
