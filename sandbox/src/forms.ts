// Reading what clients send: form bodies, and parameters that may stand in the body or the address.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { SandboxControls } from './controls.ts'

/** Lets the routes of this scope read form bodies; they arrive as URLSearchParams. */
export function readForms(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(body.toString())),
  )
}

/** The form body of a request; empty when it has none. */
export function formOf(request: FastifyRequest): URLSearchParams {
  return request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
}

/** The query of a request as it was sent. */
export function queryOf(request: FastifyRequest): URLSearchParams {
  const at = request.url.indexOf('?')
  return new URLSearchParams(at === -1 ? '' : request.url.slice(at + 1))
}

/** Form and query together; the form counts where both name a parameter. */
export function parametersOf(request: FastifyRequest): URLSearchParams {
  const all = queryOf(request)
  for (const [name, value] of formOf(request)) all.set(name, value)
  return all
}

/** True when the redirect of a request leads to this path of the product, and nowhere else. */
export function isRegistered(
  request: FastifyRequest,
  controls: Pick<SandboxControls, 'isOwnOrigin'>,
  path: string,
): boolean {
  const redirect = queryOf(request).get('redirect_uri') ?? ''
  return redirect.endsWith(path) && controls.isOwnOrigin(request, redirect.slice(0, -path.length))
}

/** The address with more parameters in its query; those without a value are left out. */
export function withQuery(
  address: string,
  parameters: Readonly<Record<string, string | null | undefined>>,
): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null) url.searchParams.set(name, value)
  }
  return url.href
}
