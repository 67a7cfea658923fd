// The bare server: default deny, how bodies are read, and what every request can rely on.

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useTestWorld } from '../../../test/world.ts'
import { createHttpServer } from './server.ts'

const t = useTestWorld({ SEED_DEMO: 'off' })
let app: Awaited<ReturnType<typeof createHttpServer>>
const open = { config: { access: 'public' as const } }

beforeEach(async () => {
  app = await createHttpServer(t.world)
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
    const other = await createHttpServer(t.world)
    other.register(async (plugin) => {
      plugin.delete('/hidden', async () => 'x')
    })
    await expect(other.ready()).rejects.toThrow('/hidden does not state its access')
  })

  it('is not in the way of routes that do', async () => {
    app.get('/stated', open, async () => ({ ok: true }))
    expect((await app.inject('/stated')).json()).toEqual({ ok: true })
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
    const answer = await echo('a=1', type)
    expect([answer.statusCode, answer.json().code]).toEqual([415, 'unsupported_media_type'])
  })

  it.each(['{', '{"a":}', 'undefined', '{"a":1}}', '\u0000', `{"a":${'['.repeat(100_000)}`])(
    'that is not JSON is refused with 400',
    async (text) => {
      const answer = await echo(text, 'application/json')
      expect([answer.statusCode, answer.json().message]).toEqual([
        400,
        'The request body is not valid JSON',
      ])
    },
  )

  it.each(['__proto__', 'constructor', 'prototype'])('with a field %s is refused', async (name) => {
    for (const text of [`{"${name}":{"x":1}}`, `{"a":[{"b":{"${name}":1}}]}`]) {
      const answer = await echo(text, 'application/json')
      expect([answer.statusCode, answer.json().message]).toEqual([
        400,
        `The field name ${name} is not allowed`,
      ])
    }
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })

  it('is read however deep it is, without ending the process', async () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    const answer = await echo(deep, 'application/json')
    expect([200, 400]).toContain(answer.statusCode)
    expect((await echo('{}', 'application/json')).statusCode).toBe(200)
  })

  it('may have 10 MiB and not a byte more', async () => {
    const ofLength = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`
    const limit = 10 * 1024 * 1024
    expect((await echo(ofLength(limit), 'application/json')).statusCode).toBe(200)
    const answer = await echo(ofLength(limit + 1), 'application/json')
    expect([answer.statusCode, answer.json().code]).toEqual([413, 'payload_too_large'])
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
