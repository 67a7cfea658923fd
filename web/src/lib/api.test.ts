// The typed call: what goes out, what comes back, and what a refusal becomes.

import { authContract, claimsContract, packsContract } from '@redpack/contract'
import { HttpResponse } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { testNow } from '../../../tools/test-clock.ts'
import { mockServer, replies } from '../../test/mock-server.ts'
import { call, firstAnswerMsMax, urlOf } from './api.ts'
import { ApiError, messageOf, statusTextOf } from './api-error.ts'

const server = mockServer()

async function failureOf(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.then(
    () => undefined,
    (reason) => reason,
  )
  expect(error).toBeInstanceOf(ApiError)
  return error
}

describe('an early answer of the page', () => {
  const early = (atMs = testNow()) => {
    const answer = Promise.resolve(new Response('{"id":1}'))
    window.redpackFirstAnswers = { [authContract.me.path]: { answer, atMs } }
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('{"id":2}')))
  }

  it('is taken once, by its own question', async () => {
    early()
    expect(await call(packsContract.stats)).toEqual({ id: 2 })
    expect(await call(authContract.me)).toEqual({ id: 1 })
    expect(await call(authContract.me)).toEqual({ id: 2 })
  })

  it('is not taken after a call that may have changed it, or when it is old', async () => {
    early()
    await call(authContract.logout)
    expect(await call(authContract.me)).toEqual({ id: 2 })
    early(testNow() - firstAnswerMsMax)
    expect(await call(authContract.me)).toEqual({ id: 2 })
  })
})

describe('call', () => {
  it('sends JSON and the key of the order', async () => {
    let request: Request | undefined
    server.use(
      replies(packsContract.open, (incoming) => {
        request = incoming.clone() as Request
        return HttpResponse.json({ results: [], updatedBalance: 5 })
      }),
    )
    const answer = await call(packsContract.open, {
      body: { packTypeId: 3, quantity: 2 },
      idempotencyKey: 'order-1',
    })
    expect(answer).toEqual({ results: [], updatedBalance: 5 })
    expect(request?.headers.get('content-type')).toBe('application/json')
    expect(request?.headers.get('idempotency-key')).toBe('order-1')
    expect(await request?.json()).toEqual({ packTypeId: 3, quantity: 2 })
  })

  it('turns a refusal into an error that reads status, colon, text', async () => {
    server.use(replies(authContract.me, () => new HttpResponse('no way', { status: 418 })))
    const error = await failureOf(call(authContract.me))
    expect(error.message).toBe('418: no way')
    expect(error.serverMessage).toBe('no way')
    expect(error.status).toBe(418)
  })

  it('uses the status text when the refusal has no text', async () => {
    server.use(
      replies(authContract.me, () => new HttpResponse('', { status: 500, statusText: 'Oh no' })),
    )
    expect((await failureOf(call(authContract.me))).message).toBe('500: Oh no')
  })

  it("keeps the server's own sentence and its sentences for fields", async () => {
    const body = {
      code: 'invalid_input',
      message: 'Invalid email',
      error: 'Invalid email',
      requestId: 'r',
      errors: [{ path: 'email', message: 'Invalid email' }],
    }
    server.use(replies(authContract.me, () => HttpResponse.json(body, { status: 400 })))
    const error = await failureOf(call(authContract.me))
    expect(error.message).toBe(`400: ${JSON.stringify(body)}`)
    expect(error.serverMessage).toBe('Invalid email')
    expect(error.code).toBe('invalid_input')
    expect(error.fields).toEqual({ email: 'Invalid email' })
  })

  it('says in our words that the server cannot be reached, whenever the network fails', async () => {
    const torn = new ReadableStream({ start: (body) => body.error(new TypeError('network error')) })
    for (const answer of [
      () => Promise.reject(new TypeError('Failed to fetch')),
      () => Promise.resolve(new Response(torn)),
    ]) {
      vi.stubGlobal('fetch', answer)
      const error = await call(authContract.me).catch((reason: unknown) => reason)
      expect(messageOf(error, 'F')).toBe(
        'The server could not be reached. Check your connection and try again.',
      )
    }
  })

  it('leaves a call that was taken back alone', async () => {
    const signal = AbortSignal.abort()
    await expect(call(authContract.me, { signal })).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('reads an empty answer as null', async () => {
    server.use(replies(authContract.logout, () => new HttpResponse('', { status: 200 })))
    expect(await call(authContract.logout)).toBeNull()
  })
})

describe('urlOf', () => {
  it('fills in the path and leaves out what is absent', () => {
    expect(urlOf('/api/x/{id}/y', { id: 'a b' })).toBe('/api/x/a%20b/y')
    expect(
      urlOf(claimsContract.list.path, {}, { page: 2, filter: 'redcoin', limit: undefined }),
    ).toBe(`${claimsContract.list.path}?page=2&filter=redcoin`)
  })
})

describe('messages', () => {
  it('has words for a status that came without any', () => {
    expect(statusTextOf({ status: 404, statusText: '' })).toBe('Not Found')
    expect(statusTextOf({ status: 404, statusText: 'Gone fishing' })).toBe('Gone fishing')
    expect(statusTextOf({ status: 599, statusText: '' })).toBe('Error')
  })

  it("prefers the server's sentence, then the error's, then the fallback", () => {
    expect(messageOf(new ApiError(400, 'Bad Request', '{"error":"Too few"}'), 'F')).toBe('Too few')
    expect(messageOf(new ApiError(502, 'Bad Gateway', ''), 'F')).toBe('502: Bad Gateway')
    expect(messageOf(new Error('offline'), 'F')).toBe('offline')
    expect(messageOf('not an error', 'F')).toBe('F')
    expect(messageOf(new Error(''), 'F')).toBe('F')
    const ended = new ApiError(401, 'Unauthorized', '{"code":"unauthorized","message":"No"}')
    expect(messageOf(ended, 'F')).toBe('Your session has ended. Please log in again.')
  })
})
