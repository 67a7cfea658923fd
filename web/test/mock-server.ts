// A pretend server for tests: its answers are typed by the contract and cannot drift in shape.

import {
  type EndpointShape,
  noticesContract,
  type Response as ResponseOf,
  walletProofContract,
} from '@redpack/contract'
import { type HttpHandler, HttpResponse, http, type JsonBodyType } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll } from 'vitest'

type Verb = 'get' | 'post' | 'put' | 'patch' | 'delete'

function handlerOf(
  endpoint: EndpointShape,
  answer: (request: Request) => Response | Promise<Response>,
): HttpHandler {
  const path = endpoint.path.replace(/\{(\w+)\}/g, ':$1')
  return http[endpoint.method.toLowerCase() as Verb](path, ({ request }) => answer(request))
}

/** The endpoint answers with status 200. */
export function answers<E extends EndpointShape>(endpoint: E, body: ResponseOf<E>): HttpHandler {
  return handlerOf(endpoint, () => HttpResponse.json(body as JsonBodyType))
}

/** The endpoint refuses with a status and a sentence, as the server words it. */
export function refuses(endpoint: EndpointShape, status: number, message: string): HttpHandler {
  return handlerOf(endpoint, () =>
    HttpResponse.json({ code: 'test', message, error: message, requestId: 'r' }, { status }),
  )
}

/** The endpoint never answers. */
export function hangs(endpoint: EndpointShape): HttpHandler {
  return handlerOf(endpoint, () => new Promise<Response>(() => {}))
}

/** The endpoint answers what the function makes of the request. */
export function replies(
  endpoint: EndpointShape,
  reply: (request: Request) => Response | Promise<Response>,
): HttpHandler {
  return handlerOf(endpoint, reply)
}

/** What every screen asks for on the side: nothing to tell. */
const aside = [
  answers(noticesContract.list, { notices: [], unreadCount: 0 }),
  answers(walletProofContract.status, { walletAddress: null, verifiedAt: null }),
]

/** Starts a pretend server for the tests of one file; requests it does not know fail the test. */
export function mockServer(...handlers: HttpHandler[]) {
  const server = setupServer(...handlers, ...aside)
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
  afterEach(() => server.resetHandlers())
  afterAll(() => server.close())
  return server
}
