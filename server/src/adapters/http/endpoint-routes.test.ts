// What one registration of an endpoint gives: access first, then limits, then input, then the
// answer.

import { type EndpointShape, endpoint } from '@redpack/contract'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { coded } from '../../../test/deps.ts'
import type { Actor, Role } from '../../rules/roles.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { jsonText, trustedJson } from '../../shared/json-text.ts'
import { idempotentAnswer, type RouteGuards, SerializedAnswer, serve } from './endpoint-routes.ts'
import { answerError } from './problem-answers.ts'

const actorOf = (role: Role): Actor => ({ userId: 7, role, sessionHash: 'hash' })

const base = {
  method: 'POST',
  path: '/things/{id}',
  access: 'staff',
  summary: 'A thing.',
  params: z.object({ id: z.string().check(z.regex(/^\d+$/, { error: 'Invalid id' })) }),
  query: z.object({ q: z._default(z.string(), 'none') }),
  bodyKind: 'json',
  body: z.object({
    name: z.string({ error: 'A name is required' }),
    size: z.optional(z.object({ width: z.int({ error: 'Width must be whole' }) })),
  }),
  response: z.object({ id: z.string(), name: z.nullable(z.string()) }),
  domainErrors: [],
  rate: 'write',
} as const satisfies EndpointShape

let app: FastifyInstance
afterEach(() => app.close())

interface Scene {
  readonly role?: Role
  readonly isOperator?: boolean
  readonly isLimited?: boolean
  readonly isUnconfirmed?: boolean
}

/** An application with one endpoint; `asked` lists what the guards and the handler were asked. */
async function withEndpoint<E extends EndpointShape>(
  shape: E,
  { role, isOperator = false, isLimited = false, isUnconfirmed = false }: Scene = {},
  result: unknown = { id: '1', name: 'x', secret: 'y' },
) {
  const asked: unknown[] = []
  const guards: RouteGuards = {
    async authenticate(_request, _reply, { fresh }) {
      asked.push(fresh ? 'who, now' : 'who')
      return role === undefined ? undefined : actorOf(role)
    },
    async limit(rate, _request, actor) {
      asked.push(`limit ${rate} ${actor?.userId ?? 'visitor'}`)
      if (isLimited) throw new DomainError('rate_limited', 'Too many requests')
    },
    inTurn: (_actor, work) => work(),
    isOperator: () => isOperator,
    async requireForEverybody(actor) {
      asked.push(`everybody ${actor.role}`)
      if (isUnconfirmed) throw new DomainError('confirmation_needed', 'Confirm')
    },
    requireNotSuspended: () => undefined,
    sessionEnds: async () => new Map(),
    endedSessions: async () => undefined,
  }
  app = Fastify()
  app.setErrorHandler(answerError)
  serve(app, guards, shape, async ({ params, query, body, idempotencyKey }) => {
    asked.push({ params, query, body, idempotencyKey })
    return result as never
  })
  await app.ready()
  return asked
}

const post = (url: string, payload?: unknown, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url,
    headers,
    ...(payload === undefined ? {} : { payload: payload as Record<string, unknown> }),
  })

describe('access', () => {
  it.each<[EndpointShape['access'], Role | 'visitor', boolean, number]>([
    ['public', 'visitor', false, 200],
    ['viewer', 'visitor', false, 401],
    ['viewer', 'user', false, 200],
    ['staff', 'visitor', false, 401],
    ['staff', 'user', false, 403],
    ['staff', 'admin', false, 200],
    ['staff', 'super_user', false, 200],
    ['staff', 'visitor', true, 401],
    ['operator', 'visitor', false, 401],
    ['operator', 'user', false, 403],
    ['operator', 'admin', false, 200],
    ['operator', 'visitor', true, 200],
    ['signature', 'visitor', false, 200],
  ])('%s answers %s (operator: %s) with %i', async (access, role, isOperator, status) => {
    const scene = role === 'visitor' ? { isOperator } : { role, isOperator }
    const asked = await withEndpoint({ ...base, access }, scene)
    expect((await post('/things/1', { name: 'x' })).statusCode).toBe(status)
    // The role of staff is read now, not taken from what is kept.
    const isFresh = access === 'staff' || access === 'operator'
    expect(asked[0]).toBe(isFresh ? 'who, now' : 'who')
  })

  it('comes before limits, and both before the input is looked at', async () => {
    const refused = await withEndpoint(base, { role: 'user' })
    expect((await post('/things/x', {})).statusCode).toBe(403)
    // Who may not call is counted as well, so that trying without an end has one.
    expect(refused).toEqual(['who, now', 'limit write 7'])
    await app.close()
    const limited = await withEndpoint(base, { role: 'admin', isLimited: true })
    expect((await post('/things/x', {})).statusCode).toBe(429)
    expect(limited).toEqual(['who, now', 'limit write 7'])
  })
})

describe('what concerns everybody', () => {
  const shape = { ...base, concernsEverybody: true }

  it('asks for more than the role, after the role and before limits and input', async () => {
    const refused = await withEndpoint(shape, { role: 'admin', isUnconfirmed: true })
    expect(await coded(post('/things/x', {}))).toBe('403 confirmation_needed')
    expect(refused).toEqual(['who, now', 'everybody admin', 'limit write 7'])
    await app.close()
    const viewer = await withEndpoint(shape, { role: 'user' })
    expect((await post('/things/1', { name: 'x' })).json().code).toBe('forbidden')
    expect(viewer).toEqual(['who, now', 'limit write 7'])
    await app.close()
    await withEndpoint(shape, { role: 'admin' })
    expect((await post('/things/1', { name: 'x' })).statusCode).toBe(200)
  })
})

describe('input', () => {
  it('reaches the handler parsed, without fields that were not asked for', async () => {
    const asked = await withEndpoint(base, { role: 'admin' })
    await post('/things/12?q=a&other=b', { name: 'x', role: 'admin' })
    expect(asked.at(-1)).toEqual({
      params: { id: '12' },
      query: { q: 'a' },
      body: { name: 'x' },
      idempotencyKey: undefined,
    })
  })

  it('is refused with the first sentence and a dotted path for each field', async () => {
    await withEndpoint(base, { role: 'admin' })
    const answer = await post('/things/1', { size: { width: 1.5 } })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({
      code: 'invalid_input',
      message: 'A name is required',
      errors: [
        { path: 'name', message: 'A name is required' },
        { path: 'size.width', message: 'Width must be whole' },
      ],
    })
    expect((await post('/things/x', { name: 'x' })).json().message).toBe('Invalid id')
    expect((await post('/things/1')).json().message).toBe('A name is required')
    expect((await post('/things/1', [])).statusCode).toBe(400)
  })

  it('is not read where no body is taken', async () => {
    const { body, ...rest } = base
    const asked = await withEndpoint({ ...rest, bodyKind: 'none' }, { role: 'admin' })
    expect((await post('/things/1', { name: 'x' })).statusCode).toBe(200)
    expect(asked.at(-1)).toMatchObject({ body: undefined })
  })
})

describe('an Idempotency-Key', () => {
  it('is read only where a call takes one, 1 to 255 printable characters', async () => {
    const asked = await withEndpoint({ ...base, idempotent: true }, { role: 'admin' })
    const withKey = (key: string) => post('/things/1', { name: 'x' }, { 'idempotency-key': key })
    for (const key of ['a', ' b ', 'k'.repeat(255)]) {
      expect((await withKey(key)).statusCode).toBe(200)
      expect(asked.at(-1)).toMatchObject({ idempotencyKey: key })
    }
    for (const key of ['', 'k'.repeat(256), 'é', '\t', 'a\u007f']) {
      const answer = await withKey(key)
      expect([key, answer.statusCode]).toEqual([key, 400])
      expect(answer.json().message).toContain('1 to 255')
    }
    await app.close()
    const without = await withEndpoint(base, { role: 'admin' })
    expect((await post('/things/1', { name: 'x' }, { 'idempotency-key': '' })).statusCode).toBe(200)
    expect(without.at(-1)).toMatchObject({ idempotencyKey: undefined })
  })
})

describe('an answer', () => {
  it('holds the fields of its schema and no others', async () => {
    await withEndpoint(base, { role: 'admin' })
    expect((await post('/things/1', { name: 'x' })).body).toBe('{"id":"1","name":"x"}')
    await app.close()
    await withEndpoint(base, { role: 'admin' }, { id: '1', name: null })
    expect((await post('/things/1', { name: 'x' })).body).toBe('{"id":"1","name":null}')
  })

  it('that cannot be written is a failure of the server, said as any other', async () => {
    const response = z.object({ count: z.int() })
    await withEndpoint({ ...base, response, access: 'public' }, {}, { count: Number.NaN })
    const answer = await post('/things/1', { name: 'x' })
    expect(answer.statusCode).toBe(500)
    expect(answer.json()).toMatchObject({ code: 'internal', message: expect.any(String) })
  })

  it('that is ready is sent byte for byte with its headers', async () => {
    const text = '{"b":1, "a":"ü"}'
    await withEndpoint(
      base,
      { role: 'admin' },
      new SerializedAnswer(trustedJson(text), { 'x-more': 'yes' }),
    )
    const answer = await post('/things/1', { name: 'x' })
    expect(answer.body).toBe(text)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-more': 'yes',
    })
  })

  it('says when it is a replay', () => {
    const thing = jsonText({ id: '1', name: null })
    expect(idempotentAnswer(base, { body: thing, replayed: false }).headers).toEqual({})
    expect(idempotentAnswer(base, { body: thing, replayed: true }).headers).toEqual({
      'idempotency-replayed': 'true',
    })
  })
})

describe('an endpoint', () => {
  it('is served under its aliases too, and never as HEAD', async () => {
    const { summary, params, response } = base
    const aliases = [{ method: 'PUT', path: '/other/{id}' }] as const
    const shape = endpoint('staff', 'GET', base.path, { summary, params, response, aliases })
    await withEndpoint(shape, { role: 'admin' })
    const statuses = await Promise.all(
      (['GET', 'PUT', 'HEAD'] as const).flatMap((method) =>
        ['/things/1', '/other/1'].map(
          async (url) => (await app.inject({ method, url })).statusCode,
        ),
      ),
    )
    expect(statuses).toEqual([200, 404, 404, 200, 404, 404])
  })
})
