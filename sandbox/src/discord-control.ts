// Control calls on the Discord stand-in: what was posted, clicks, places and failures.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SandboxControls } from './controls.ts'
import { pressButton, signedHeaders } from './discord-click.ts'
import type { DiscordState, SandboxMessage } from './discord-state.ts'

const failuresMax = 100_000
const permissionBits: Readonly<Record<string, bigint>> = {
  VIEW_CHANNEL: 1n << 10n,
  SEND_MESSAGES: 1n << 11n,
  READ_MESSAGE_HISTORY: 1n << 16n,
}

/** Meant for a scope that lets only this machine in. */
export function serveDiscordControl(
  app: FastifyInstance,
  controls: SandboxControls,
  state: DiscordState,
): void {
  const config = { access: 'public' as const }
  app.get('/control/discord/messages', { config }, async (request) =>
    state.of((request.query as { channelId?: string }).channelId).map(shown),
  )
  app.post('/control/discord/click', { config }, async (request, reply) => {
    const { messageId, discordUserId, username } = bodyOf(request)
    if (typeof messageId !== 'string' || typeof discordUserId !== 'string') {
      return refuse(reply, 400, 'messageId and discordUserId must be texts')
    }
    const message = state.message(messageId)
    if (message === undefined) return refuse(reply, 404, 'No such message')
    const name = typeof username === 'string' ? username : `user${discordUserId}`
    return pressButton(controls, state, message, { discordUserId, username: name })
  })
  app.post('/control/discord/fail', { config }, async (request, reply) => {
    const { next, status, code, retryAfterSeconds, afterwards } = bodyOf(request)
    if (!isWhole(next, 0, failuresMax)) return refuse(reply, 400, 'next must be a whole number')
    if (status !== 0 && !isWhole(status, 400, 599)) {
      return refuse(reply, 400, 'status must be 0 or a number from 400 to 599')
    }
    Object.assign(state.failures, {
      next,
      status,
      code: isWhole(code, 0, 1_000_000) ? code : undefined,
      retryAfterSeconds: typeof retryAfterSeconds === 'number' ? retryAfterSeconds : 1,
      isAfterwards: afterwards === true,
    })
    return { next, status }
  })
  servePlaces(app, state)
  app.post('/control/discord/probe', { config }, async (_request, reply) =>
    reply.send(await probe(controls)),
  )
}

/** Says what a server or channel is like; without this call any that is named simply exists. */
function servePlaces(app: FastifyInstance, state: DiscordState): void {
  const config = { access: 'public' as const }
  app.post('/control/discord/channels', { config }, async (request, reply) => {
    const { channelId, guildId, exists, missing, type } = bodyOf(request)
    if (typeof channelId !== 'string') return refuse(reply, 400, 'channelId must be a text')
    if (exists === false) {
      state.missing.add(channelId)
      return { channelId }
    }
    state.missing.delete(channelId)
    const channel = state.channel(channelId)
    if (channel === undefined) return refuse(reply, 404, 'No such channel')
    if (typeof guildId === 'string') {
      channel.guildId = guildId
      state.placed.add(channelId)
    }
    if (isWhole(type, 0, 15)) channel.type = type
    const names = Array.isArray(missing) ? missing : []
    channel.deniedPermissions = names.reduce(
      (bits: bigint, name) => bits | (permissionBits[String(name)] ?? 0n),
      0n,
    )
    return { channelId }
  })
  app.post('/control/discord/servers', { config }, async (request, reply) => {
    const { guildId, exists } = bodyOf(request)
    if (typeof guildId !== 'string') return refuse(reply, 400, 'guildId must be a text')
    if (exists === false) state.missing.add(guildId)
    else state.missing.delete(guildId)
    return { guildId }
  })
}

/**
 * What Discord does before it accepts an address for interactions: a ping with a right signature
 * and one with a wrong one.
 */
async function probe(controls: SandboxControls): Promise<{ ping: number; forged: number }> {
  const id = controls.discordClient.clientId
  const body = JSON.stringify({ id: '1', application_id: id, type: 1, token: 'ping', version: 1 })
  const headers = signedHeaders(body, controls.clock.now())
  const send = async (sent: Record<string, string>) => {
    const url = `${controls.publicUrl}/api/discord/interactions`
    const answer = await fetch(url, { method: 'POST', headers: sent, body })
    await answer.arrayBuffer()
    return answer.status
  }
  const ping = await send(headers)
  const forged = await send({ ...headers, 'x-signature-ed25519': 'ab'.repeat(64) })
  return { ping, forged }
}

function shown({ id, channelId, content, components, createdAt, editedAt }: SandboxMessage) {
  return { id, channelId, content, components, createdAt, editedAt: editedAt ?? null }
}

function bodyOf(request: FastifyRequest): Record<string, unknown> {
  const { body } = request
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}

function isWhole(value: unknown, min: number, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
}

function refuse(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).send({ message, error: message })
}
