// Reading what clients send: form bodies, JSON, tokens, and parameters that may stand in the body
// or the address.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SandboxControls } from './controls.ts'

/** Every stand-in is open to all; what they keep to themselves their handlers refuse. */
export const open = { config: { access: 'public' as const } }

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

/** The fields of a JSON body; none when it has no fields. */
export function jsonOf({ body }: FastifyRequest): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}

/** The token of a `Bearer` header; empty without one. */
export function bearerOf({ headers }: FastifyRequest): string {
  return /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
}

export function isWhole(value: unknown, min: number, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
}

/** How a control call is refused. */
export function refuseControl(reply: FastifyReply, message: string, status = 400): FastifyReply {
  return reply.code(status).send({ message, error: message })
}

const failuresMax = 100_000

/** What is wrong with the failures that a control call plans; undefined when nothing is. */
export function faultOfFailures({ next, status }: Record<string, unknown>): string | undefined {
  if (!isWhole(next, 0, failuresMax)) return 'next must be a whole number'
  if (status === 0 || isWhole(status, 400, 599)) return undefined
  return 'status must be 0 or a number from 400 to 599'
}
