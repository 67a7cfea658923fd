// How Discord refuses a call, and how the stand-in fails on demand.
// Facts: discord-api-docs topics/opcodes-and-status-codes and topics/rate-limits.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { DiscordState, NextFailures } from './discord-state.ts'

export interface DiscordError {
  readonly status: number
  readonly code: number
  readonly message: string
}

export const unknownChannel = { status: 404, code: 10_003, message: 'Unknown Channel' }
export const unknownGuild = { status: 404, code: 10_004, message: 'Unknown Guild' }
export const unknownMessage = { status: 404, code: 10_008, message: 'Unknown Message' }
export const unknownWebhook = { status: 404, code: 10_015, message: 'Unknown Webhook' }
export const missingPermissions = { status: 403, code: 50_013, message: 'Missing Permissions' }
export const invalidRecipient = { status: 400, code: 50_033, message: 'Invalid Recipient(s)' }
export const emptyMessage = { status: 400, code: 50_006, message: 'Cannot send an empty message' }
export const notAuthorized = { status: 401, code: 0, message: '401: Unauthorized' }

export function refuse(reply: FastifyReply, error: DiscordError): FastifyReply {
  return reply.code(error.status).send({ message: error.message, code: error.code })
}

/** A field that breaks a rule, in the nested form of Discord's form errors. */
export function refuseField(reply: FastifyReply, field: string, code: string, message: string) {
  return reply.code(400).send({
    message: 'Invalid Form Body',
    code: 50_035,
    errors: { [field]: { _errors: [{ code, message }] } },
  })
}

/** What Discord answers with a status, when nothing more is known about the call. */
const usual: Readonly<Record<number, DiscordError>> = {
  401: notAuthorized,
  403: missingPermissions,
  404: unknownChannel,
}

declare module 'fastify' {
  interface FastifyRequest {
    /** A failure that takes the place of the answer, after the call has taken effect. */
    lostAnswer?: NextFailures | undefined
  }
}

/** Every answer of Discord's API in this scope carries its limits and may be made to fail. */
export function failOnDemand(app: FastifyInstance, state: DiscordState): void {
  const isApi = (request: FastifyRequest) => request.url.startsWith('/sandbox/discord/api/')
  app.addHook('preHandler', async (request, reply) => {
    if (!isApi(request)) return undefined
    const failure = state.takeFailure()
    if (failure === undefined) return undefined
    if (failure.isAfterwards) {
      request.lostAnswer = failure
      return undefined
    }
    // Without an answer the caller is left to its own patience.
    return failure.status === 0 ? reply.hijack() : fail(reply, failure)
  })
  app.addHook('onSend', async (request, reply, payload) => {
    if (!isApi(request)) return payload
    if (!reply.hasHeader('x-ratelimit-limit')) {
      reply.headers({
        'x-ratelimit-limit': '50',
        'x-ratelimit-remaining': '49',
        'x-ratelimit-reset-after': '1.000',
        'x-ratelimit-bucket': 'sandbox',
      })
    }
    const { lostAnswer } = request
    if (lostAnswer === undefined) return payload
    const { status, body } = failureOf(lostAnswer)
    reply.code(status)
    return JSON.stringify(body)
  })
}

function fail(reply: FastifyReply, failure: NextFailures): FastifyReply {
  const { status, body } = failureOf(failure)
  if (status === 429) {
    reply.headers({
      'retry-after': String(Math.ceil(failure.retryAfterSeconds)),
      'x-ratelimit-scope': 'user',
      'x-ratelimit-limit': '5',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset-after': String(failure.retryAfterSeconds),
    })
  }
  return reply.code(status).send(body)
}

function failureOf({ status, code, retryAfterSeconds }: NextFailures) {
  const shown = status === 0 ? 504 : status
  if (shown === 429 && code === undefined) {
    const body = { message: 'You are being rate limited.', retry_after: retryAfterSeconds }
    return { status: shown, body: { ...body, global: false, code: 0 } }
  }
  const known = usual[shown]
  const message = known?.message ?? `${shown}: Internal Server Error`
  return { status: shown, body: { message, code: code ?? known?.code ?? 0 } }
}
