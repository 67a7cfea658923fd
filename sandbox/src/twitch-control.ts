// Control calls on the Twitch stand-in: who is live, who chats, what was said, tokens, failures.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { faultOfFailures, jsonOf, open, refuseControl } from './requests.ts'
import type { TwitchState } from './twitch-state.ts'
import { issueUserTokens } from './twitch-tokens.ts'

const chattersMax = 100_000
const botScopes = ['moderator:read:chatters', 'user:write:chat']

/** Meant for a scope that lets only this machine in. */
export function serveTwitchControl(
  app: FastifyInstance,
  state: TwitchState,
  clientId: string,
): void {
  app.post('/control/twitch/live', open, async (request, reply) => setLive(state, request, reply))
  app.post('/control/twitch/chatters', open, async (request, reply) => {
    const { twitchChannelId, logins } = jsonOf(request)
    if (!isChannel(state, twitchChannelId))
      return refuseControl(reply, 'twitchChannelId must be a text')
    if (!Array.isArray(logins) || logins.length > chattersMax) {
      return refuseControl(reply, 'logins must be a list of login names')
    }
    if (!logins.every((login) => typeof login === 'string' && state.viewers.named(login))) {
      return refuseControl(reply, 'logins must be a list of login names')
    }
    state.channels.chatters.set(twitchChannelId, logins as string[])
    return { twitchChannelId, logins }
  })
  app.get('/control/twitch/chat-messages', open, async () => state.channels.messages)
  app.post('/control/twitch/fail', open, async (request, reply) => {
    const { next, status } = jsonOf(request)
    const fault = faultOfFailures({ next, status })
    if (fault !== undefined) return refuseControl(reply, fault)
    return Object.assign(state.failures, { next, status })
  })
  app.post('/control/twitch/bot-token', open, async (request, reply) => {
    const { login, scopes = botScopes } = jsonOf(request)
    const viewer = typeof login === 'string' ? state.viewers.named(login) : undefined
    if (viewer === undefined) return refuseControl(reply, 'login must be a login name')
    if (!Array.isArray(scopes) || !scopes.every((scope) => typeof scope === 'string')) {
      return refuseControl(reply, 'scopes must be a list of texts')
    }
    const grant = { viewer, clientId, scopes, isBot: true }
    const { access_token: accessToken, refresh_token: refreshToken } = issueUserTokens(state, grant)
    const { id: userId, login: name } = viewer
    return { accessToken, refreshToken, clientId, userId, login: name, scopes }
  })
  app.post('/control/twitch/revoke', open, async (request, reply) => {
    const { login } = jsonOf(request)
    const viewer = typeof login === 'string' ? state.viewers.named(login) : undefined
    if (viewer === undefined) return refuseControl(reply, 'login must be a login name')
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
  const { twitchChannelId, isLive, streamId } = jsonOf(request)
  if (!isChannel(state, twitchChannelId))
    return refuseControl(reply, 'twitchChannelId must be a text')
  if (typeof isLive !== 'boolean') return refuseControl(reply, 'isLive must be true or false')
  const isId = typeof streamId === 'string' && streamId !== ''
  if (streamId !== undefined && !isId) return refuseControl(reply, 'streamId must be a text')
  const before = state.channels.live.get(twitchChannelId)
  const names = {
    broadcaster_user_id: twitchChannelId,
    broadcaster_user_login: `channel_${twitchChannelId}`,
    broadcaster_user_name: `Channel ${twitchChannelId}`,
  }
  if (!isLive) {
    state.channels.live.delete(twitchChannelId)
    if (before !== undefined) {
      const event = { ...names, id: before.id }
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
