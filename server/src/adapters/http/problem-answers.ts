// Turns every error into an answer: one table from code to status, one body for all.

import type { DomainErrorCode } from '@redpack/contract/error-codes'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError, type FieldProblem, Unavailable } from '../../shared/domain-error.ts'
import { isDatabaseUnavailable, sqlState } from '../db/retry.ts'

/** Typed over the whole list: a new code without a status does not compile. */
const statuses: Readonly<Record<DomainErrorCode, number>> = {
  invalid_input: 400,
  insufficient_packs: 400,
  insufficient_redcoin: 400,
  not_enough_stock: 400,
  unlimited_stock: 400,
  unauthorized: 401,
  invalid_credentials: 401,
  second_factor_required: 401,
  second_factor_invalid: 401,
  forbidden: 403,
  cross_site: 403,
  protected_account: 403,
  suspended: 403,
  confirmation_needed: 403,
  not_found: 404,
  already_completed: 409,
  duplicate: 409,
  in_use: 409,
  wrong_state: 409,
  shipment_state: 409,
  country_not_served: 422,
  odds_changed: 409,
  commitment_moved: 409,
  price_changed: 409,
  changed_meanwhile: 409,
  idempotency_in_flight: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  wrong_host: 421,
  idempotency_mismatch: 422,
  rate_limited: 429,
  headers_too_large: 431,
  service_unavailable: 503,
}

/** The HTTP status a refusal with this code is answered with. */
export function statusOf(code: DomainErrorCode): number {
  return statuses[code]
}

interface Answer {
  readonly status: number
  readonly code: DomainErrorCode | 'internal'
  readonly message: string
  readonly errors?: readonly FieldProblem[] | undefined
  readonly retryAfterSeconds?: number | undefined
  readonly commitment?: string | undefined
  readonly suspension?: DomainError['details']['suspension']
}

const invalid = (message: string): Answer => ({ status: 400, code: 'invalid_input', message })
const notFound: Answer = { status: 404, code: 'not_found', message: 'Not found' }
const unavailable: Answer = {
  status: 503,
  code: 'service_unavailable',
  message: 'The service is busy, please try again in a moment',
  retryAfterSeconds: 5,
}
const internal: Answer = { status: 500, code: 'internal', message: 'Internal server error' }

/** Faults of the HTTP layer that the sender caused, by Fastify's code. */
const fastifyAnswers: Readonly<Record<string, Answer>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: {
    status: 413,
    code: 'payload_too_large',
    message: 'The request body is too large',
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 415,
    code: 'unsupported_media_type',
    message: 'This content type is not supported',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: invalid('The request body does not match its length'),
  FST_ERR_CTP_EMPTY_TYPE: invalid('The content type is missing'),
  FST_ERR_MAX_PARAM_LENGTH: invalid('The address is too long'),
  FST_ERR_BAD_URL: invalid('The address could not be read'),
}

/** Database errors that stand for bad input (numbers out of range, bytes that are no text). */
const badInputStates = new Set(['22003', '22021', '22P02', '22P05', '22007', '22008', '22009'])
/** Database errors that pass: time-outs, too many connections, restarts, full disks, read-only. */
const passingStates = /^(57014|25006|55P03|40P01|40001|53\d{3}|57P0\d|08\d{3}|25P03|58030)$/
const connectionErrors = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND'])

function answerFor(error: unknown): Answer {
  if (error instanceof DomainError) {
    const { code, message, details } = error
    return { status: statuses[code], code, message, ...details }
  }
  if (error instanceof Unavailable) {
    return { ...unavailable, message: error.message, retryAfterSeconds: error.retryAfterSeconds }
  }
  if (isDatabaseUnavailable(error)) return unavailable
  const state = sqlState(error)
  if (state !== undefined) {
    if (badInputStates.has(state)) return invalid('A value in the request is out of range')
    if (passingStates.test(state)) return unavailable
    return internal
  }
  return answerForPlainError(error)
}

function answerForPlainError(error: unknown): Answer {
  if (!(error instanceof Error)) return internal
  const { code, statusCode } = error as FastifyError
  const known = fastifyAnswers[code ?? '']
  if (known !== undefined) return known
  // Before the next: the sender's connection may be the one that was lost, in the middle of a body.
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return invalid(statusCode === 400 ? 'The request could not be read' : error.message)
  }
  if (code !== undefined && connectionErrors.has(code)) return unavailable
  return internal
}

/** Below /api every path without a route is unknown, also one that cannot be decoded. */
function isUnknownCall(error: unknown, { url }: FastifyRequest): boolean {
  return (error as FastifyError | null)?.code === 'FST_ERR_BAD_URL' && url.startsWith('/api/')
}

/** Somebody in a browser went where nothing is; a program, and every call, gets JSON. */
function isLost({ url, method, headers, server }: FastifyRequest, { status }: Answer): boolean {
  const isPlace =
    method === 'GET' && (status === 404 || status === 400) && !/^\/api([/?]|$)/.test(url)
  return isPlace && server.showPage !== undefined && isForPage(headers)
}

function isForPage(headers: FastifyRequest['headers']): boolean {
  return /\btext\/html\b/.test(headers.accept ?? '')
}

/** The screen for somebody in a browser who was on the way through a sign-in: JSON ends it. */
function screenAfter({ routeOptions, headers }: FastifyRequest, { status }: Answer) {
  const isOurs = status === 429 || status >= 500
  return isOurs && isForPage(headers) ? routeOptions.config?.failsTo : undefined
}

/** Who is suspended may not know yet, and beats of watching come by themselves. */
function isForbidden({ routeOptions }: FastifyRequest, { status, code }: Answer): boolean {
  const isForged = status === 401 && routeOptions.config?.access === 'signature'
  return isForged || status === 421 || (status === 403 && code !== 'suspended')
}

/**
 * Somebody tried what they may not: who and where, and nothing of what they sent. Of a person it is
 * a record; anybody can send what is refused without one, so that is counted like failures.
 */
function logForbidden(request: FastifyRequest, code: Answer['code']): void {
  const { method, routeOptions, caller } = request
  const route = `${method} ${routeOptions.url ?? 'unknown'}`
  const record = caller === undefined ? {} : { event: 'forbidden', userId: caller.userId }
  request.log.warn({ ...record, code, route }, 'forbidden')
}

/** What passes by itself is a warning without a stack; anything else is a fault of the program. */
function logFailure(error: unknown, { log, routeOptions, method }: FastifyRequest, status: number) {
  const route = `${method} ${routeOptions.url ?? 'unknown'}`
  if (status !== 503) log.error({ err: error, route }, 'request failed')
  else if (isDatabaseUnavailable(error)) log.warn({ err: error }, 'no database')
  else log.warn({ err: error, route }, 'request could not be served')
}

/** Sends the answer for any error; what is not the sender's fault is logged with its cause. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const answer = isUnknownCall(error, request) ? notFound : answerFor(error)
  if (answer.status >= 500) logFailure(error, request, answer.status)
  if (isForbidden(request, answer)) logForbidden(request, answer.code)
  if (answer.retryAfterSeconds !== undefined) reply.header('retry-after', answer.retryAfterSeconds)
  if (answer.code === 'rate_limited') {
    const seconds = answer.retryAfterSeconds ?? 1
    reply.headers({ 'ratelimit-remaining': 0, 'ratelimit-reset': seconds })
  }
  const screen = screenAfter(request, answer)
  if (screen !== undefined) return void reply.redirect(screen, 302)
  reply.code(answer.status)
  if (isLost(request, answer)) return void request.server.showPage?.(request, reply)
  void reply
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send({
      code: answer.code,
      message: answer.message,
      error: answer.message,
      requestId: request.id,
      ...(answer.errors === undefined ? {} : { errors: answer.errors }),
      ...(answer.commitment === undefined ? {} : { commitment: answer.commitment }),
      ...answer.suspension,
    })
}
