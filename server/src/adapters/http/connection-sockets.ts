// The sockets of open pages: who may open one, how it is kept alive, and what ends it.

import websocket from '@fastify/websocket'
import { realtimeMessageBytesMax, realtimeMessagesPerMinuteMax } from '@redpack/contract/limits'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import type { Actor } from '../../rules/roles.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { Heartbeats } from './connection-heartbeats.ts'
import { type ConnectionHub, policyViolation } from './connection-hub.ts'
import { lookAtSessions } from './connection-sessions.ts'
import { isCrossSite } from './cross-site.ts'
import type { FeatureContext } from './feature-context.ts'

const textFrame = { binary: false }

/** Opens a socket per page at `path` and tells it what changed; everything ends with the server. */
export async function serveConnections(
  { app, deps, guards }: FeatureContext,
  path: string,
  hub: ConnectionHub,
): Promise<void> {
  const unsubscribe = deps.events.subscribe((event) => hub.take(event))
  const stopLooking = lookAtSessions(hub, { deps, guards })
  const heartbeats = new Heartbeats()
  await app.register(websocket, {
    options: { maxPayload: realtimeMessageBytesMax, perMessageDeflate: false },
    preClose: (done) => {
      unsubscribe()
      stopLooking()
      heartbeats.stop()
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
      if (actor === undefined) throw new DomainError('unauthorized', 'Unauthorized')
      // Cookies travel with a socket that another site opens, so its origin decides.
      if (isCrossSite(request, deps.config)) {
        throw new DomainError('cross_site', 'This request must come from the application itself')
      }
      request.caller = actor
    },
  }
  app.get(path, options, (socket, request) => {
    const actor = request.caller
    if (actor === undefined) socket.close(policyViolation, 'Unauthorized')
    else welcome(hub, heartbeats, socket, actor)
  })
}

function welcome(
  hub: ConnectionHub,
  heartbeats: Heartbeats,
  socket: WebSocket,
  { userId, sessionHash }: Actor,
): void {
  const sending = {
    send: (message: Buffer) => socket.send(message, textFrame),
    close: (code: number, reason: string) => socket.close(code, reason),
    get bufferedAmount() {
      return socket.bufferedAmount
    },
  }
  const remove = hub.add(sending, userId, sessionHash)
  if (remove === undefined) {
    socket.close(policyViolation, 'Too many open pages')
    return
  }
  const heartbeat = heartbeats.add(socket)
  socket.on('message', () => {
    // Pages have nothing to say; the limit only keeps a broken one from talking all day.
    heartbeat.messages += 1
    if (heartbeat.messages > realtimeMessagesPerMinuteMax) {
      socket.close(policyViolation, 'Too many messages')
    }
  })
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    heartbeats.remove(heartbeat)
    remove()
  })
}
