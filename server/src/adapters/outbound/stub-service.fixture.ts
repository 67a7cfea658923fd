// A service outside that answers as a test tells it to.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type LocalServer, listenLocally } from '../../../test/local-server.ts'

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
  let local: LocalServer
  beforeAll(async () => {
    local = await listenLocally(server)
    stub.origin = `http://127.0.0.1:${local.port}`
  })
  beforeEach(() => {
    stub.routes = {}
    stub.seen = []
  })
  afterAll(() => local.close())
  return stub
}
