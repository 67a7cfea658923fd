// Control calls on the Twitch stand-in: who is live, who chats, what was said, tokens, failures.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TwitchState } from './twitch-state.ts'
import { issueUserTokens } from './twitch-tokens.ts'

const failuresMax = 100_000
const chattersMax = 100_000
const botScopes = ['moderator:read:chatters', 'user:write:chat']

/** Meant for a scope that lets only this machine in. */
export function serveTwitchControl(
  app: FastifyInstance,
  state: TwitchState,
  clientId: string,
): void {
  const config = { access: 'public' as const }
  app.post('/control/twitch/live', { config }, async (request, reply) =>
    setLive(state, request, reply),
  )
  app.post('/control/twitch/chatters', { config }, async (request, reply) => {
    const { twitchChannelId, logins } = bodyOf(request)
    if (!isChannel(state, twitchChannelId)) return refuse(reply, 'twitchChannelId must be a text')
    if (!Array.isArray(logins) || logins.length > chattersMax) {
      return refuse(reply, 'logins must be a list of login names')
    }
    if (!logins.every((login) => typeof login === 'string' && state.viewers.named(login))) {
      return refuse(reply, 'logins must be a list of login names')
    }
    state.channels.fillChat(twitchChannelId, logins as string[])
    return { twitchChannelId, logins }
  })
  app.get('/control/twitch/chat-messages', { config }, async () => state.channels.messages)
  app.post('/control/twitch/fail', { config }, async (request, reply) => {
    const { next, status } = bodyOf(request)
    if (!isWhole(next, 0, failuresMax)) return refuse(reply, 'next must be a whole number')
    if (status !== 0 && !isWhole(status, 400, 599)) {
      return refuse(reply, 'status must be 0 or a number from 400 to 599')
    }
    state.failures.next = next
    state.failures.status = status
    return { next, status }
  })
  app.post('/control/twitch/bot-token', { config }, async (request, reply) => {
    const { login, scopes = botScopes } = bodyOf(request)
    const viewer = typeof login === 'string' ? state.viewers.named(login) : undefined
    if (viewer === undefined) return refuse(reply, 'login must be a login name')
    if (!Array.isArray(scopes) || !scopes.every((scope) => typeof scope === 'string')) {
      return refuse(reply, 'scopes must be a list of texts')
    }
    const grant = { viewer, clientId, scopes, claims: undefined, isBot: true }
    const { access_token: accessToken, refresh_token: refreshToken } = issueUserTokens(state, grant)
    const { id: userId, login: name } = viewer
    return { accessToken, refreshToken, clientId, userId, login: name, scopes }
  })
  app.post('/control/twitch/revoke', { config }, async (request, reply) => {
    const { login } = bodyOf(request)
    const viewer = typeof login === 'string' ? state.viewers.named(login) : undefined
    if (viewer === undefined) return refuse(reply, 'login must be a login name')
    state.accessTokens.endAllOf(viewer.id)
    state.refreshTokens.endAllOf(viewer.id)
    await state.events.notify('user.authorization.revoke', 'client_id', clientId, {
      client_id: clientId,
      user_id: viewer.id,
      user_login: viewer.login,
      user_name: viewer.displayName,
    })
    return { login: viewer.login, userId: viewer.id }
  })
}

async function setLive(state: TwitchState, request: FastifyRequest, reply: FastifyReply) {
  const { twitchChannelId, isLive, streamId } = bodyOf(request)
  if (!isChannel(state, twitchChannelId)) return refuse(reply, 'twitchChannelId must be a text')
  if (typeof isLive !== 'boolean') return refuse(reply, 'isLive must be true or false')
  const isId = typeof streamId === 'string' && streamId !== ''
  if (streamId !== undefined && !isId) return refuse(reply, 'streamId must be a text')
  const before = state.channels.broadcastOf(twitchChannelId)
  const names = {
    broadcaster_user_id: twitchChannelId,
    broadcaster_user_login: `channel_${twitchChannelId}`,
    broadcaster_user_name: `Channel ${twitchChannelId}`,
  }
  if (!isLive) {
    const ended = state.channels.goOffline(twitchChannelId)
    if (ended !== undefined) {
      const event = { ...names, id: ended.id }
      await state.events.notify('stream.offline', 'broadcaster_user_id', twitchChannelId, event)
    }
    return { twitchChannelId, isLive, streamId: null }
  }
  const { id, startedAt } = state.channels.goLive(twitchChannelId, isId ? streamId : undefined)
  if (before?.id !== id) {
    const event = { id, ...names, type: 'live', started_at: startedAt.toISOString() }
    await state.events.notify('stream.online', 'broadcaster_user_id', twitchChannelId, event)
  }
  return { twitchChannelId, isLive, streamId: id }
}

function isChannel(state: TwitchState, id: unknown): id is string {
  return typeof id === 'string' && state.channels.meet(id)
}

function isWhole(value: unknown, min: number, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
}

function bodyOf(request: FastifyRequest): Record<string, unknown> {
  const { body } = request
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}

function refuse(reply: FastifyReply, message: string): FastifyReply {
  return reply.code(400).send({ message, error: message })
}
