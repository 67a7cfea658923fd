// A service outside that answers as a test tells it to.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach } from 'vitest'

export type Route = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

/** Answers with this status, this body as JSON and these further headers. */
export const jsonRoute =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (_request: IncomingMessage, response: ServerResponse): void => {
    const all = { 'content-type': 'application/json', ...headers }
    response.writeHead(status, all).end(JSON.stringify(body))
  }

/** Listens for the tests of a file; before each of them it has no routes and has seen nothing. */
export function useStubService() {
  const stub = { origin: '', routes: {} as Record<string, Route>, seen: [] as IncomingMessage[] }
  const server = createServer((request, response) => {
    stub.seen.push(request)
    const path = request.url?.split('?')[0] ?? ''
    void (stub.routes[path] ?? jsonRoute(404, { status: 404 }))(request, response)
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    stub.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  beforeEach(() => {
    stub.routes = {}
    stub.seen = []
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return stub
}
