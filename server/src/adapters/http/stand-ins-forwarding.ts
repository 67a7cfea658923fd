// Forwards calls below /sandbox to the process with the stand-ins of Twitch and Discord.

import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Unavailable } from '../../shared/domain-error.ts'
import { isLocalCaller } from './caller-address.ts'
import { leaveBytes } from './json-body.ts'

/** Where they listen on this machine, and what proves that a call comes from the product. */
export interface StandInsAddress {
  readonly port: number
  readonly pass: string
}

export const standInsPassHeader = 'x-redpack-stand-ins'
/** The largest of their own limits; each call has its own there. */
const bodyBytesMax = 1024 * 1024
/** Of this connection and not of the call. */
const hopHeaders = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade'])

/** Serves every path below /sandbox with the answers of the stand-ins. */
export async function forwardToStandIns(
  app: FastifyInstance,
  address: StandInsAddress,
): Promise<void> {
  await app.register(async (scope) => {
    leaveBytes(scope)
    scope.route({
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url: '/sandbox/*',
      config: { access: 'public' },
      bodyLimit: bodyBytesMax,
      handler: async (request, reply) => {
        const answer = await ask(address, request, reply)
        for (const [name, value] of Object.entries(answer.headers)) {
          if (value !== undefined && !hopHeaders.has(name)) reply.header(name, value)
        }
        return reply.code(answer.statusCode ?? 502).send(answer)
      },
    })
  })
}

function ask(
  address: StandInsAddress,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<IncomingMessage> {
  const body = Buffer.isBuffer(request.body) ? request.body : undefined
  const headers: Record<string, string | string[] | undefined> = { ...request.headers }
  for (const name of hopHeaders) delete headers[name]
  delete headers[standInsPassHeader]
  // Control calls are for this machine: they must see that somebody else has asked.
  if (!isLocalCaller(request)) headers['x-forwarded-for'] ??= request.ip
  return new Promise((resolve, reject) => {
    const forwarded = httpRequest(
      {
        host: '127.0.0.1',
        port: address.port,
        method: request.method,
        path: request.url,
        headers: { ...headers, [standInsPassHeader]: address.pass },
      },
      resolve,
    )
    forwarded.once('error', (cause) => {
      reject(new Unavailable('The sandbox does not answer', { cause }))
    })
    // Stand-ins that were told to hang answer never; whoever hangs up ends the wait.
    reply.raw.once('close', () => forwarded.destroy())
    forwarded.end(body)
  })
}
