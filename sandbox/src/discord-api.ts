// Stand-in of the part of Discord's API that a bot needs to post rewards and to answer clicks.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SandboxControls } from './controls.ts'
import {
  emptyMessage,
  invalidRecipient,
  missingPermissions,
  notAuthorized,
  refuse,
  refuseField,
  unknownChannel,
  unknownGuild,
  unknownMessage,
  unknownWebhook,
} from './discord-errors.ts'
import {
  botShape,
  channelShape,
  guildShape,
  memberShape,
  messageShape,
  ownShape,
} from './discord-shapes.ts'
import type { DiscordState } from './discord-state.ts'
import { jsonOf, open } from './requests.ts'
import { discordIdOf } from './viewers.ts'

const base = '/discord/api/v10'
const contentMax = 2_000
const nonceMax = 25
const rowsMax = 5
const viewAndSend = (1n << 10n) | (1n << 11n)
const readHistory = 1n << 16n

type Params = Readonly<Record<string, string>>

const paramsOf = (request: FastifyRequest) => request.params as Params

export async function serveDiscordApi(
  app: FastifyInstance,
  controls: SandboxControls,
  state: DiscordState,
): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('preHandler', async (request, reply) =>
      isBot(request, controls) ? undefined : refuse(reply, notAuthorized),
    )
    servePlaces(scope, state)
    serveMessages(scope, state)
  })
  app.patch(
    `${base}/webhooks/:application/:token/messages/@original`,
    open,
    async (request, reply) => {
      const { application, token = '' } = paramsOf(request)
      const late = state.replies.get(token)
      if (late === undefined || application !== controls.discordClient.clientId) {
        return refuse(reply, unknownWebhook)
      }
      late.content = String(jsonOf(request)['content'] ?? '')
      const message = { channelId: '0', content: late.content, components: [], nonce: undefined }
      const id = state.newId()
      const createdAt = controls.clock.now()
      return messageShape({ ...message, id, createdAt, editedAt: createdAt }, state)
    },
  )
}

function servePlaces(app: FastifyInstance, state: DiscordState): void {
  app.get(`${base}/guilds/:guild`, open, async (request, reply) => {
    const id = state.guild(paramsOf(request)['guild'] ?? '')
    return id === undefined ? refuse(reply, unknownGuild) : guildShape(id, discordIdOf('an owner'))
  })
  app.get(`${base}/guilds/:guild/members/:user`, open, async (request, reply) =>
    state.missing.has(paramsOf(request)['guild'] ?? '')
      ? refuse(reply, unknownGuild)
      : memberShape(botShape(state)),
  )
  app.get(`${base}/channels/:channel`, open, async (request, reply) => {
    const channel = state.channelOfLastGuild(paramsOf(request)['channel'] ?? '')
    return channel === undefined ? refuse(reply, unknownChannel) : channelShape(channel)
  })
  app.post(`${base}/users/@me/channels`, open, async (request, reply) =>
    openDirectMessages(state, request, reply),
  )
}

function serveMessages(app: FastifyInstance, state: DiscordState): void {
  const path = `${base}/channels/:channel/messages`
  app.get(path, open, async (request, reply) => {
    const { channel: id = '' } = paramsOf(request)
    const channel = state.channel(id)
    if (channel === undefined) return refuse(reply, unknownChannel)
    if ((channel.deniedPermissions & readHistory) !== 0n) return refuse(reply, missingPermissions)
    const limit = Number((request.query as Params)['limit'] ?? 50)
    const newest = state.of(id).toReversed().slice(0, limit)
    return newest.map((message) => messageShape(message, state))
  })
  app.post(path, open, async (request, reply) => createMessage(state, request, reply))
  app.patch(`${path}/:message`, open, async (request, reply) => {
    const { message: id = '', channel } = paramsOf(request)
    const message = state.message(id)
    if (message === undefined || message.channelId !== channel) {
      return refuse(reply, unknownMessage)
    }
    const { content, components } = jsonOf(request)
    state.edit(message, {
      ...(typeof content === 'string' ? { content } : {}),
      ...(Array.isArray(components) ? { components } : {}),
    })
    return messageShape(message, state)
  })
}

/** Where the bot writes to one person: the same place every time. */
function openDirectMessages(state: DiscordState, request: FastifyRequest, reply: FastifyReply) {
  const recipient = jsonOf(request)['recipient_id']
  if (typeof recipient !== 'string' || !/^\d{5,20}$/.test(recipient)) {
    return refuse(reply, invalidRecipient)
  }
  const id = discordIdOf(`messages to ${recipient}`)
  const user = { ...botShape(state), id: recipient, username: `user-${recipient}`, bot: false }
  return { id, type: 1, last_message_id: state.of(id).at(-1)?.id ?? null, recipients: [user] }
}

function createMessage(state: DiscordState, request: FastifyRequest, reply: FastifyReply) {
  const channel = state.channel(paramsOf(request)['channel'] ?? '')
  if (channel === undefined) return refuse(reply, unknownChannel)
  if ((channel.deniedPermissions & viewAndSend) !== 0n) return refuse(reply, missingPermissions)
  const body = jsonOf(request)
  const { content = '', components = [], enforce_nonce } = body
  const nonce = body['nonce'] === undefined ? undefined : String(body['nonce'])
  if (typeof content !== 'string' || content.length > contentMax) {
    const words = `Must be ${contentMax} or fewer in length.`
    return refuseField(reply, 'content', 'BASE_TYPE_BAD_LENGTH', words)
  }
  if (nonce !== undefined && nonce.length > nonceMax) {
    const words = `Must be ${nonceMax} or fewer in length.`
    return refuseField(reply, 'nonce', 'NONCE_TYPE_BAD_LENGTH', words)
  }
  if (!Array.isArray(components) || components.length > rowsMax) {
    return refuseField(reply, 'components', 'BASE_TYPE_BAD_LENGTH', 'Must be 5 or fewer in length.')
  }
  if (content === '' && components.length === 0) return refuse(reply, emptyMessage)
  const before =
    enforce_nonce === true && nonce !== undefined ? state.withNonce(channel.id, nonce) : undefined
  const message = before ?? state.add({ channelId: channel.id, content, components, nonce })
  return messageShape(message, state)
}

function isBot(request: FastifyRequest, { discordBotToken }: SandboxControls): boolean {
  return request.headers.authorization === `Bot ${discordBotToken}`
}

/** The bot's own account, for callers with its token; undefined for everybody else. */
export function botAccount(
  request: FastifyRequest,
  controls: SandboxControls,
  state: DiscordState,
): ReturnType<typeof ownShape> | undefined {
  return isBot(request, controls) ? ownShape(state) : undefined
}
