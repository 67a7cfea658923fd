// Every error becomes the answer that the table of statuses gives, and nothing from inside leaks.

import { once } from 'node:events'
import { connect } from 'node:net'
import { domainErrorCodes } from '@redpack/contract/error-codes'
import Fastify, { type FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DomainError, Unavailable } from '../../shared/domain-error.ts'
import { DatabaseUnavailable } from '../db/retry.ts'
import { answerError, statusOf } from './problem-answers.ts'

let thrown: unknown
let app: FastifyInstance

beforeAll(async () => {
  app = Fastify()
  app.setErrorHandler(answerError)
  app.get('/', async () => {
    throw thrown
  })
  await app.ready()
})
afterAll(() => app.close())

async function answerTo(error: unknown) {
  thrown = error
  const answer = await app.inject('/')
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
}
const databaseError = (code: string) =>
  Object.assign(new Error('relation "secret_table" does not exist'), { code })

describe('what somebody may not do', () => {
  it('is logged with who and where, and nothing of what they sent', async () => {
    const lines: string[] = []
    const logged = Fastify({
      loggerInstance: pino({ level: 'warn' }, { write: (line: string) => lines.push(line) }),
    })
    logged.decorateRequest('caller', undefined)
    logged.setErrorHandler(answerError)
    logged.post('/things/:name', async (request) => {
      request.caller = { userId: 7, role: 'user', sessionHash: 'hash-of-the-session' }
      throw new DomainError('forbidden', 'You do not have permission to do this')
    })
    logged.post('/missing', async () => {
      throw new DomainError('not_found', 'Not found')
    })
    const headers = { cookie: 'sid=secret-token', 'user-agent': 'secret-browser' }
    const payload = { email: 'secret@example.org' }
    const url = '/things/secret-name?q=secret-word'
    const answer = await logged.inject({ method: 'POST', url, headers, payload })
    await logged.inject({ method: 'POST', url: '/missing', payload })
    await logged.close()
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        event: 'forbidden',
        code: 'forbidden',
        route: 'POST /things/:name',
        userId: 7,
        reqId: answer.json().requestId,
      }),
    ])
    expect(lines.join()).not.toMatch(/secret|hash-of/)
  })
})

describe('a body whose sender hangs up', () => {
  it('is no fault of ours to tell of', async () => {
    const lines: string[] = []
    const logged = Fastify({
      loggerInstance: pino({ level: 'warn' }, { write: (line: string) => lines.push(line) }),
    })
    const answered = new Promise<void>((resolve) => {
      logged.setErrorHandler((error, request, reply) => {
        answerError(error, request, reply)
        resolve()
      })
    })
    logged.post('/', async () => 'whole')
    const { port } = new URL(await logged.listen({ port: 0, host: '127.0.0.1' }))
    const sender = connect(Number(port), '127.0.0.1')
    const arrived = once(logged.server, 'request')
    sender.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n')
    sender.write('content-length: 8\r\n\r\n{')
    await arrived
    sender.destroy()
    await answered
    await logged.close()
    expect(lines).toEqual([])
  })
})

describe('a refusal', () => {
  it('is answered with the status of its code', async () => {
    const codes: Record<number, string> = {
      400: `invalid_input insufficient_packs
        insufficient_redcoin not_enough_stock unlimited_stock`,
      401: 'unauthorized invalid_credentials second_factor_required second_factor_invalid',
      403: 'suspended forbidden cross_site protected_account confirmation_needed',
      404: 'not_found',
      409: `already_completed duplicate in_use wrong_state shipment_state
        odds_changed commitment_moved price_changed changed_meanwhile idempotency_in_flight`,
      413: 'payload_too_large',
      415: 'unsupported_media_type',
      421: 'wrong_host',
      422: 'country_not_served idempotency_mismatch',
      429: 'rate_limited',
      431: 'headers_too_large',
      503: 'service_unavailable',
    }
    const rows = Object.entries(codes).flatMap(([status, names]) =>
      names.split(/\s+/).map((code) => [code, Number(status)]),
    )
    expect(Object.fromEntries(domainErrorCodes.map((code) => [code, statusOf(code)]))).toEqual(
      Object.fromEntries(rows),
    )
    for (const code of domainErrorCodes) {
      const { status, body } = await answerTo(new DomainError(code, 'A sentence'))
      expect([code, status]).toEqual([code, statusOf(code)])
      expect(body).toEqual({
        code,
        message: 'A sentence',
        error: 'A sentence',
        requestId: expect.any(String),
      })
    }
  })

  it('names its fields and says when to come back', async () => {
    const errors = [{ path: 'notifications.email', message: 'No' }]
    const { headers, body } = await answerTo(
      new DomainError('rate_limited', 'Too many', { errors, retryAfterSeconds: 7 }),
    )
    expect(body.errors).toEqual(errors)
    expect(headers).toMatchObject({
      'retry-after': '7',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '7',
      'content-type': 'application/json; charset=utf-8',
    })
  })
})

describe('an error of the database', () => {
  const ofRequest = { status: 400, code: 'invalid_input', retryAfter: undefined }
  const passing = { status: 503, code: 'service_unavailable', retryAfter: '5' }
  const ofProgram = { status: 500, code: 'internal', retryAfter: undefined }
  const lockStates = ['57014', '55P03', '40P01', '40001']
  const serverStates = ['53300', '53100', '57P01', '57P03', '08006', '25P03']

  it.each([
    ...['22003', '22021', '22P02', '22P05', '22007', '22008', '22009'].map((state) => [
      state,
      ofRequest,
    ]),
    ...[...lockStates, ...serverStates].map((state) => [state, passing]),
    ...['23505', '42P01', '22012', 'P0001', 'XX000'].map((state) => [state, ofProgram]),
  ] as [string, typeof ofRequest | typeof passing][])(
    'with state %s is told from others by %o, and tells nothing from inside',
    async (state, expected) => {
      const cause = databaseError(state)
      for (const error of [cause, new Error('Failed query: SELECT secret', { cause })]) {
        const { status, headers, body } = await answerTo(error)
        const answered = { status, code: body.code, retryAfter: headers['retry-after'] }
        expect(answered).toEqual(expected)
        expect(JSON.stringify(body)).not.toContain('secret')
      }
    },
  )
})

describe('any other error', () => {
  it('of a connection passes', async () => {
    const lost = [
      Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' }),
      Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
      new DatabaseUnavailable('connection was lost: Connection terminated unexpectedly'),
      new DatabaseUnavailable('cannot be reached', { cause: databaseError('28P01') }),
      new Error('Failed query', { cause: new DatabaseUnavailable('does not answer') }),
      new Unavailable('Twitch does not answer'),
    ]
    for (const error of lost) {
      const { status, headers, body } = await answerTo(error)
      expect([error.message, status, headers['retry-after']]).toEqual([error.message, 503, '5'])
      expect(body.message).not.toMatch(/ECONN|127|terminated|exceeded/)
    }
  })

  it('is an internal error that tells nothing', async () => {
    for (const error of [new Error('secret'), new TypeError('x is not a function'), 'text', null]) {
      const { status, body } = await answerTo(error)
      expect([status, body.message, body.error]).toEqual([
        500,
        'Internal server error',
        'Internal server error',
      ])
    }
  })
})
