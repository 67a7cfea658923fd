// A pretend server for tests: its answers are typed by the contract and cannot drift in shape.

import { setImmediate as turn } from 'node:timers/promises'
import {
  adminEconomyContract,
  adminUsersContract,
  authContract,
  type ChainResponse,
  coinsContract,
  type EndpointShape,
  fairnessContract,
  noticesContract,
  packsContract,
  type Response as ResponseOf,
  walletProofContract,
} from '@redpack/contract'
import { cleanup } from '@testing-library/react'
import { type HttpHandler, HttpResponse, http, type JsonBodyType } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { beginTime } from '../../tools/test-clock.ts'
import { sampleUser } from './samples.ts'

type Verb = 'get' | 'post' | 'put' | 'patch' | 'delete'

function handlerOf(
  endpoint: EndpointShape,
  answer: (request: Request) => Response | Promise<Response>,
  options?: { readonly once: boolean },
): HttpHandler {
  const path = endpoint.path.replace(/\{(\w+)\}/g, ':$1')
  const verb = endpoint.method.toLowerCase() as Verb
  return http[verb](path, ({ request }) => answer(request), options)
}

/** The endpoint answers with status 200. */
export function answers<E extends EndpointShape>(endpoint: E, body: ResponseOf<E>): HttpHandler {
  return handlerOf(endpoint, () => HttpResponse.json(body as JsonBodyType))
}

/** The endpoint refuses with a status and a sentence, as the server words it. */
export function refuses(
  endpoint: EndpointShape,
  status: number,
  message: string,
  code = 'test',
): HttpHandler {
  return handlerOf(endpoint, () =>
    HttpResponse.json({ code, message, error: message, requestId: 'r' }, { status }),
  )
}

/** The endpoint never answers. */
export function hangs(endpoint: EndpointShape): HttpHandler {
  return handlerOf(endpoint, () => new Promise<Response>(() => {}))
}

/** The endpoint answers once it is released, however often it was asked until then. */
export function holds(
  endpoint: EndpointShape,
  reply: () => Response,
  options?: { readonly once: boolean },
) {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  return { handler: handlerOf(endpoint, () => released.then(reply), options), release }
}

/** An answer that is on its way until the test gives it. */
export function later() {
  let give: (response: Response) => void = () => {}
  const given = new Promise<Response>((resolve) => {
    give = resolve
  })
  return { given, give: (response: Response) => give(response) }
}

/** The endpoint answers what the function makes of the request. */
export function replies(
  endpoint: EndpointShape,
  reply: (request: Request) => Response | Promise<Response>,
  /** `once` leaves later requests to the answers that were set before. */
  options?: { readonly once: boolean },
): HttpHandler {
  return handlerOf(endpoint, reply, options)
}

/** A chain that nothing was drawn from yet. */
const chain: ChainResponse = { chainId: 1, index: 0, commitment: 'a1'.repeat(32), ended: [] }

/** What every screen asks for on the side: nothing to tell, and staff who ask. */
const aside = [
  hangs(adminEconomyContract.flow),
  // Forms ask a moment after the last letter, which may be after the end of a test.
  answers(adminEconomyContract.preview, { packs: [] }),
  answers(authContract.me, sampleUser({ role: 'admin' })),
  answers(adminUsersContract.powers, { mayActOnEverybody: true, mayChangeSuperUsers: true }),
  answers(fairnessContract.chain, chain),
  refuses(fairnessContract.odds, 404, 'Not found'),
  refuses(coinsContract.ownRank, 404, 'Not found'),
  answers(packsContract.holdings, []),
  answers(noticesContract.list, { notices: [], unreadCount: 0 }),
  answers(walletProofContract.status, { walletAddress: null, verifiedAt: null }),
]

/** Starts a pretend server for the tests of one file; requests it does not know fail the test. */
export function mockServer(...handlers: HttpHandler[]) {
  const server = setupServer(...handlers, ...aside)
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
  afterEach(async () => {
    // A call of the page that is under way finds its answer until the page is gone.
    beginTime()
    cleanup()
    await turn()
    server.resetHandlers()
  })
  afterAll(() => server.close())
  return server
}
