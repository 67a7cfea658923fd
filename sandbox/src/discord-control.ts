// Control calls on the Discord stand-in: what was posted, clicks, places and failures.

import type { FastifyInstance } from 'fastify'
import type { SandboxControls } from './controls.ts'
import { pressButton, signedHeaders } from './discord-click.ts'
import type { DiscordState, SandboxMessage } from './discord-state.ts'
import { faultOfFailures, isWhole, jsonOf, open, refuseControl } from './requests.ts'

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
  app.get('/control/discord/messages', open, async (request) =>
    state.of((request.query as { channelId?: string }).channelId).map(shown),
  )
  app.post('/control/discord/click', open, async (request, reply) => {
    const { messageId, discordUserId, username } = jsonOf(request)
    if (typeof messageId !== 'string' || typeof discordUserId !== 'string') {
      return refuseControl(reply, 'messageId and discordUserId must be texts')
    }
    const message = state.message(messageId)
    if (message === undefined) return refuseControl(reply, 'No such message', 404)
    const name = typeof username === 'string' ? username : `user${discordUserId}`
    return pressButton(controls, state, message, { discordUserId, username: name })
  })
  app.post('/control/discord/fail', open, async (request, reply) => {
    const { next, status, code, retryAfterSeconds, afterwards } = jsonOf(request)
    const fault = faultOfFailures({ next, status })
    if (fault !== undefined) return refuseControl(reply, fault)
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
  app.post('/control/discord/probe', open, async (_request, reply) =>
    reply.send(await probe(controls)),
  )
}

/** Says what a server or channel is like; without this call any that is named simply exists. */
function servePlaces(app: FastifyInstance, state: DiscordState): void {
  app.post('/control/discord/channels', open, async (request, reply) => {
    const { channelId, guildId, exists, missing, type } = jsonOf(request)
    if (typeof channelId !== 'string') return refuseControl(reply, 'channelId must be a text')
    if (exists === false) {
      state.missing.add(channelId)
      return { channelId }
    }
    state.missing.delete(channelId)
    const channel = state.channel(channelId)
    if (channel === undefined) return refuseControl(reply, 'No such channel', 404)
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
  app.post('/control/discord/servers', open, async (request, reply) => {
    const { guildId, exists } = jsonOf(request)
    if (typeof guildId !== 'string') return refuseControl(reply, 'guildId must be a text')
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
