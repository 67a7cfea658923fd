// The sockets of open pages: who may open one, how it is kept alive, and what ends it.

import websocket from '@fastify/websocket'
import { realtimeMessageBytesMax, realtimeMessagesPerMinuteMax } from '@redpack/contract/limits'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import { Refusal } from '../../rules/refusal.ts'
import type { Actor } from '../../rules/roles.ts'
import { isCrossSite } from './cross-site.ts'
import type { FeatureContext } from './feature-context.ts'
import { type PageHub, policyViolation } from './page-hub.ts'
import { lookAtSessions } from './page-sessions.ts'

const pingMillis = 30_000

/** Opens a socket per page at `path` and tells it what changed; everything ends with the server. */
export async function servePages(
  { app, world, guards }: FeatureContext,
  path: string,
  hub: PageHub,
): Promise<void> {
  const unsubscribe = world.events.subscribe((event) => hub.take(event))
  const stopLooking = lookAtSessions(hub, { world, guards })
  await app.register(websocket, {
    options: { maxPayload: realtimeMessageBytesMax, perMessageDeflate: false },
    preClose: (done) => {
      unsubscribe()
      stopLooking()
      hub.closeAll()
      done()
    },
  })
  const options = {
    websocket: true as const,
    config: { access: 'viewer' as const },
    exposeHeadRoute: false,
    preValidation: async (request: FastifyRequest, reply: FastifyReply) => {
      const actor = await guards.authenticate(request, reply, { fresh: true })
      if (actor === undefined) throw new Refusal('unauthorized', 'Unauthorized')
      // Cookies travel with a socket that another site opens, so its origin decides.
      if (isCrossSite(request, world.config)) {
        throw new Refusal('cross_site', 'This request must come from the application itself')
      }
      request.caller = actor
    },
  }
  app.get(path, options, (socket, request) => {
    const actor = request.caller
    if (actor === undefined) socket.close(policyViolation, 'Unauthorized')
    else welcome(hub, socket, actor)
  })
}

function welcome(hub: PageHub, socket: WebSocket, actor: Actor): void {
  const remove = hub.add(socket, actor.userId, actor.sessionHash)
  if (remove === undefined) {
    socket.close(policyViolation, 'Too many open pages')
    return
  }
  let messages = 0
  let isAlive = true
  socket.on('message', () => {
    // Pages have nothing to say; the limit only keeps a broken one from talking all day.
    messages += 1
    if (messages > realtimeMessagesPerMinuteMax) socket.close(policyViolation, 'Too many messages')
  })
  socket.on('pong', () => {
    isAlive = true
  })
  let pings = 0
  const heart = setInterval(() => {
    if (!isAlive) socket.terminate()
    isAlive = false
    pings += 1
    if (pings % 2 === 0) messages = 0
    socket.ping()
  }, pingMillis)
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    clearInterval(heart)
    remove()
  })
}
