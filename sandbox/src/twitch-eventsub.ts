// Stand-in of EventSub by webhook: who asks for which events, and where they go.
// Facts: dev.twitch.tv/docs/eventsub/manage-subscriptions.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { open, queryOf } from './requests.ts'
import { grantOf, HelixError } from './twitch-errors.ts'
import { shownSubscription } from './twitch-events.ts'
import type { TwitchState } from './twitch-state.ts'

const conditionFields: Readonly<Record<string, string>> = {
  'stream.online': 'broadcaster_user_id',
  'stream.offline': 'broadcaster_user_id',
  'user.authorization.revoke': 'client_id',
}
const costMax = 10_000

export function serveSubscriptions(app: FastifyInstance, state: TwitchState, path: string): void {
  app.post(path, open, async (request, reply) => subscribe(state, request, reply))
  app.get(path, open, async (request) => {
    requireApp(state, request)
    const query = queryOf(request)
    const matches = [...state.events.all.values()].filter(
      ({ status, type }) =>
        (query.get('status') ?? status) === status && (query.get('type') ?? type) === type,
    )
    return { ...totals(state), data: matches.map(shownSubscription), pagination: {} }
  })
  app.delete(path, open, async (request, reply) => {
    requireApp(state, request)
    const id = queryOf(request).get('id')
    if (id === null) throw new HelixError(400, 'Missing required parameter "id"')
    if (!state.events.all.delete(id)) throw new HelixError(404, 'subscription not found')
    return reply.code(204).send()
  })
}

function totals(state: TwitchState) {
  const total = state.events.all.size
  return { total, total_cost: total, max_total_cost: costMax }
}

function requireApp(state: TwitchState, request: FastifyRequest): void {
  if (grantOf(state, request).viewer !== undefined) {
    throw new HelixError(401, 'A webhook subscription needs an app access token')
  }
}

function subscribe(state: TwitchState, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  requireApp(state, request)
  const wanted = readWanted((request.body ?? {}) as Record<string, unknown>)
  const isThere = [...state.events.all.values()].some(
    (one) =>
      one.type === wanted.type &&
      one.callback === wanted.callback &&
      JSON.stringify(one.condition) === JSON.stringify(wanted.condition),
  )
  if (isThere) throw new HelixError(409, 'subscription already exists')
  const subscription = state.events.add(wanted)
  // Twitch asks the address after it has answered.
  setImmediate(() => void state.events.verify(subscription))
  return reply.code(202).send({ data: [shownSubscription(subscription)], ...totals(state) })
}

function readWanted(body: Record<string, unknown>) {
  const { type, version, condition, transport } = body
  const field = typeof type === 'string' ? conditionFields[type] : undefined
  if (typeof type !== 'string' || field === undefined) {
    throw new HelixError(400, 'The type is not known to the sandbox')
  }
  if (version !== '1') throw new HelixError(400, 'The version must be 1')
  const value = (condition as Record<string, unknown> | null | undefined)?.[field]
  if (typeof value !== 'string' || value === '') {
    throw new HelixError(400, `The condition needs ${field}`)
  }
  const { method, callback, secret } = (transport ?? {}) as Record<string, unknown>
  if (method !== 'webhook' || typeof callback !== 'string' || !isAddress(callback)) {
    throw new HelixError(400, 'The transport must be a webhook with an https callback')
  }
  if (typeof secret !== 'string' || !/^[\x20-\x7e]{10,100}$/.test(secret)) {
    throw new HelixError(400, 'The secret must have 10 to 100 ASCII characters')
  }
  return { type, version, condition: { [field]: value }, callback, secret }
}

/** The real service takes https on port 443 only; on this machine plain http will do. */
function isAddress(callback: string): boolean {
  if (!URL.canParse(callback)) return false
  const { protocol, port, hostname } = new URL(callback)
  const isHere = hostname === '127.0.0.1' || hostname === 'localhost'
  return (protocol === 'https:' && port === '') || (protocol === 'http:' && isHere)
}
